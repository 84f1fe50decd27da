import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playTeam } from '../../src/cli/demo/team-play.ts'
import { code, files, parts, said, scenario, settings, shared, task } from '../../src/cli/demo/team-script.ts'
import { createOutput } from '../../src/cli/output.ts'
import { cliNamed, envOf, programOf, settle } from '../support/clis.ts'
import { startRein } from './harness.ts'

/** What `rein demo team` plays, on the models of a test. */
const startStage = async () => {
  const [claude, codex] = [cliNamed('claude'), cliNamed('codex')]
  const rein = await startRein({ scenario, config: { ...settings, REIN_CODEX_PATH: programOf(codex) } })
  const { client, cwd: project, home, sim } = rein
  await settle(codex, home, sim.url, project)
  for (const [name, content] of Object.entries(files)) await writeFile(join(project, name), content)
  const env = { ...envOf(claude, home, sim.url), ...envOf(codex, home, sim.url) }
  const launch = { host: 'stream' as const, drivers: ['claude', 'codex'], autoApprove: true, env }
  const reached = (gate: string): Promise<void> => sim.reached(gate)
  const release = (gate: string): void => sim.release(gate)
  return { rein, stage: { client, project, launch, reached, release } }
}

/** What its story tells, in this order. */
const told = [
  parts.first,
  'took a lease on dates.mjs (exclusive)',
  'was denied',
  'blocker to dates-lead',
  said.blocker,
  'solved, by dates-lead',
  'crashed',
  'is back',
  said.parsed,
  parts.goOn,
  said.printed,
  `${said.report} ok.`,
  'the task is done',
]

const { style } = createOutput(process, { NO_COLOR: '1' })

test('a team of two vendors splits a task, meets a lease, loses an agent that comes back, and finishes: its story tells it', async () => {
  const { rein, stage } = await startStage()
  const shown: string[] = []
  await playTeam(stage, { show: (line) => shown.push(line), style })

  const got = (wire: string, words: string) =>
    rein.sim.requests.find(({ isMain, wire: by, newText }) => isMain && by === wire && newText.includes(words))?.text
  expect(got('anthropic', 'You are dates-lead, the lead')).toContain('dates-1 (claude), dates-2 (codex)')
  expect(got('anthropic', `| ${parts.first}`)).toContain('You are dates-1, an agent')
  expect(got('responses', `| ${parts.second}`)).toContain('You are dates-2, an agent')
  expect(got('responses', 'It was not run.')).toMatch(
    /dates-1 holds dates\.mjs \(exclusive\) for .*parse.* until \d{4}-\d\d-\d\dT[\d:]+Z/,
  )
  // Its turn was over: it was woken for this.
  expect(got('anthropic', 'high blocker from agent dates-2')).toMatch(/^ok\nRein: there is something in your inbox/m)
  // It is in the conversation in which it got its part.
  expect(got('anthropic', 'you were restarted after a crash')).toContain(`| ${parts.first}`)
  // Who was denied has written nothing then.
  expect(readFileSync(join(stage.project, shared), 'utf8')).toBe(`${files[shared]}${code.parse}\n${code.format}\n`)
  expect(shown.at(-1)).toContain(`${said.report} ok.`)

  expect(await rein.rein('task', 'done', task)).toMatchObject({ code: 0, stderr: '' })
  const { stdout: story } = await rein.rein('story', task)
  expect(inOrder(story, told)).toEqual(told)
  expect(await rein.rein('story', task, '-o', 'story.html')).toMatchObject({ code: 0 })
  const page = readFileSync(join(stage.project, 'story.html'), 'utf8')
  expect(told.filter((words) => !page.includes(words))).toEqual([])
})

/** Those of the words that stand in a text, one after the other. */
const inOrder = (text: string, words: readonly string[]): string[] => {
  let at = 0
  return words.filter((word) => {
    const found = text.indexOf(word, at)
    if (found >= 0) at = found + word.length
    return found >= 0
  })
}
