import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Story } from '../../src/contract/routes/story.ts'
import { outcomeText } from '../../src/contract/story-words.ts'
import { createTaskBox } from './task-box.ts'
import { runCli } from './in-process-cli.ts'
import { codeOf, untilRecords } from './team-box.ts'

const inShort = ({ moments }: Story): string[] =>
  moments.map(({ agent, text, why, outcome }) =>
    [agent ?? '-', text, why, outcome && outcomeText(outcome, { isAgent: true })]
      .filter((part) => part != null)
      .join(' | '),
  )

test('rein story tells what a team did: text, JSON and a page', async () => {
  const box = createTaskBox()
  const { cwd } = box
  await box.orchestrate({ agents: 1 })
  const member = box.as('parser-1')
  const { id } = await member.tellLead({ cwd, kind: 'blocker', text: 'No <b>schema</b>.' })
  await box.as('parser-lead').ackEvents({ cwd, ids: [id] })
  await member.post({ cwd, room: 'parser', text: '@parser-lead done' })
  await box.as('parser-lead').decide({ cwd, text: 'ISO dates only' })
  await box.client().tell({ cwd, target: 'parser-1', from: 'ada', text: 'Use tabs.' })
  await box.kill('parser-1')
  await untilRecords(box, 'agent.state', 1, ({ body }) => body.state === 'crashed')
  await box.client().finishTask({ cwd, name: 'parser', force: true })

  const told = await box.client().story({ cwd, target: 'PARSER' })
  expect(told).toMatchObject({ subject: { kind: 'task', name: 'parser' }, state: 'done', isCut: false, blockers: [] })
  expect(told.agents).toMatchObject([
    { handle: 'parser-lead', role: 'lead', driver: 'claude', crashes: 0 },
    { handle: 'parser-1', role: 'member', driver: 'claude', crashes: 1 },
  ])
  const lines = inShort(told)
  for (const line of [
    /^- \| .+ made the task parser$/,
    /^parser-1 \| joined as member$/,
    /^parser-1 \| started: claude 2\.1\.197 \(stream\), by the user$/,
    /^parser-1 \| blocker to parser-lead \| No <b>schema<\/b>\. \| solved, by parser-lead$/,
    /^parser-1 \| @parser-lead done$/,
    /^parser-lead \| ISO dates only$/,
    /^parser-1 \| .+ told it: Use tabs\./,
    /^parser-1 \| crashed \| /,
    /^- \| .+: the task is done$/,
  ])
    expect(lines).toContainEqual(expect.stringMatching(line))

  const text = await runCli(box, ['story', 'parser'])
  expect([text.code, text.stdout]).toEqual([0, expect.stringMatching(/^\d\d:\d\d:\d\d  parser-1 +agent +crashed$/m)])
  const json = await runCli(box, ['story', 'parser-1', '--since', '1h', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ subject: { kind: 'agent', name: 'parser-1' } })
  expect((await runCli(box, ['story', 'parser', '-o', 'parser.html'])).code).toBe(0)
  expect((await runCli(box, ['story', 'parser', '-o', 'parser.html'])).code).toBe(0)
  expect(readFileSync(join(cwd, 'parser.html'), 'utf8')).toContain('No &lt;b&gt;schema&lt;/b&gt;.')
  writeFileSync(join(cwd, 'mine.html'), 'Mine.')
  const refused = await runCli(box, ['story', 'parser', '-o', 'mine.html'])
  expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('--force')])
  expect(readFileSync(join(cwd, 'mine.html'), 'utf8')).toBe('Mine.')
  const nothing = await runCli(box, ['story', ''])
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('of a task, an agent or a session')])
  const unknown = await runCli(box, ['story', 'paser'])
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('no task, agent or session "paser"')])
})

test('an agent is told stories of its own project', async () => {
  const box = createTaskBox()
  await box.orchestrate({ agents: 0 })
  const other = { handle: 'stranger', driver: 'claude', host: 'stream' as const, env: box.env }
  await box.client().up({ ...other, request: { cwd: box.root, env: {}, args: [] } })
  const lead = box.as('parser-lead')
  expect(await lead.story({ cwd: box.cwd, target: 'parser' })).toMatchObject({ subject: { name: 'parser' } })
  expect(await codeOf(lead.story({ cwd: box.root, target: 'stranger' }))).toBe('forbidden')
})
