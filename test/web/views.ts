import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyRecord } from '../../src/contract/record.ts'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import type { TestRein } from '../e2e/harness.ts'
import { inState } from '../e2e/terminal.ts'
import { agentPath, asksFirst } from './harness.ts'

export interface View {
  name: string
  path: string
  title: string
  /** What it shows once all of it is there. */
  shows: string
}

const finding = `## Why it is wrong

The sum starts at \`1\`, so **every** total is one too high:

| basket | total | should be |
|---|---|---|
| empty | 1 | 0 |
| one book for 12 | 13 | 12 |
`
const before = 'export const total = (items: Item[]): number =>\n  items.reduce((sum, { price }) => sum + price, 1)\n'

const edit = { file_path: 'total.ts', old_string: 'sum + price, 1)', new_string: 'sum + price, 0)' }

export const scenario = String.raw`on Why is the total wrong do CALL:Read{"file_path":"total.ts"} ;; CALL:Edit${JSON.stringify(edit)} ;; WAIT:told ;; RUN:cat finding.md
on (## Why it is wrong[^]*13 \| 12 \|) do SAY:$1
on Remove what is not used do RUN:rm -rf dist legacy/ ;; SAY:Removed.
on Speed up the search do THINK:The index is rebuilt on every request. ;; WAIT:forever
on Write the release notes do SAY:The release notes are in NOTES.md: three features, two fixes.`

/** A day of a small team, by real agents: one has found and mended a bug, one asks, one works, one is stopped. */
export const stageTeam = async (rein: TestRein): Promise<View[]> => {
  const { up, cwd, client, sim } = rein
  execFileSync('git', ['init', '-q', '-b', 'fix-total', cwd])
  writeFileSync(join(cwd, 'total.ts'), before)
  writeFileSync(join(cwd, 'finding.md'), finding)
  await client.createRoom({ cwd, room: 'general', about: 'Who does what' })
  const api = await up('Why is the total wrong? Fix it.', {}, { handle: 'api' })
  await sim.reached('told')
  const told = await rein.tell('Keep the old signature: two callers depend on it.', { target: 'api' })
  sim.release('told')
  await rein.reached(told.id, 'seen')
  await up('Remove what is not used.', asksFirst, { handle: 'web' })
  await up('Speed up the search.', {}, { handle: 'search' })
  await sim.reached('forever')
  await up('Write the release notes.', {}, { handle: 'docs' })
  await rein.record('turns', (one): one is AnyRecord => JSON.stringify(one).includes('NOTES.md'))
  await client.down({ target: 'docs', cwd })
  for (const text of ['The search index is rebuilt on every request. I cache it.', 'Which version is this?'])
    await client.post({ cwd, room: 'general', text })
  await rein.rein('task', 'new', 'parser', '--prompt', 'Parse the dates of the orders')
  await inState(rein, 'awaiting_permission')
  return viewsOf(api)
}

const viewsOf = (agent: AgentView): View[] => [
  { name: 'agents', title: 'Agents', path: '/', shows: 'asks you' },
  { name: 'agent', title: 'api', path: agentPath(agent), shows: 'one book for 12' },
  { name: 'questions', title: 'Questions', path: '/questions', shows: 'Allow once' },
  { name: 'rooms', title: 'Rooms', path: '/rooms', shows: 'general' },
  { name: 'room', title: 'general', path: `/rooms/${agent.project}/general`, shows: 'I cache it' },
  { name: 'bus', title: 'Events', path: `/bus/${agent.project}`, shows: 'No open events' },
  { name: 'tasks', title: 'Tasks', path: '/tasks', shows: 'parser' },
  { name: 'task', title: 'parser', path: `/tasks/${agent.project}/parser`, shows: 'parser' },
  { name: 'settings', title: 'Settings', path: '/settings', shows: 'Paired browsers' },
]
