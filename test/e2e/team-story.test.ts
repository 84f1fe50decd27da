import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playTeam } from '../../src/cli/demo/team-play.ts'
import { code, files, parts, said, scenario, settings, shared } from '../../src/cli/demo/team-script.ts'
import { createOutput } from '../../src/cli/output.ts'
import { cliNamed, envOf, programOf, settle } from '../clis.ts'
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
  return { rein, stage: { client, project, launch, reached: sim.reached, release: sim.release } }
}

const { style } = createOutput(process, { NO_COLOR: '1' })

test('a team of two vendors splits a task, meets a lease, loses an agent that comes back, and finishes: its story tells it', async () => {
  const { rein, stage } = await startStage()
  const shown: string[] = []
  await playTeam(stage, { show: (line) => shown.push(line), style })

  const got = (wire: string, words: string | RegExp) =>
    rein.sim.requests.find(({ isMain, wire: by, newText }) => isMain && by === wire && newText.search(words) >= 0)
  expect(got('anthropic', 'You are dates-lead, the lead')?.text).toContain('dates-1 (claude), dates-2 (codex)')
  expect(got('anthropic', `| ${parts.first}`)?.text).toContain('You are dates-1, an agent')
  expect(got('responses', `| ${parts.second}`)?.text).toContain('You are dates-2, an agent')
  // Its turn was over: it was woken for this.
  expect(got('anthropic', /high blocker from agent dates-2/)?.text).toMatch(/^ok\nRein: there is something in your/m)
  const back = got('anthropic', 'you were restarted after a crash')
  expect(back?.text).toContain(`| ${parts.first}`)
  expect(readFileSync(join(stage.project, shared), 'utf8')).toBe(`${files[shared]}${code.parse}\n${code.format}\n`)
  expect(shown.join('\n')).toContain(`${said.report} ok.`)
})
