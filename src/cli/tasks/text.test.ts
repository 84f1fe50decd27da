import { describe, expect, test } from 'vitest'
import type { TaskView, TeamView } from '../../contract/routes/tasks.ts'
import { createOutput } from '../output.ts'
import { taskTable, taskText, teamText } from './text.ts'

const now = Date.UTC(2026, 0, 2, 12)
const { style } = createOutput({ stdout: { write: () => true }, stderr: { write: () => true } }, {})
const member = { role: 'member', driver: 'codex', since: now - 5000, cwd: '/p', worktree: null, branch: null } as const
const task: TaskView = {
  name: 'parser',
  project: 'shop-1a2b3c',
  root: '/p',
  dir: '/p/.rein/tasks/parser',
  room: 'parser',
  state: 'running',
  reason: null,
  since: now - 60_000,
  createdAt: now - 60_000,
  worktrees: 'agent',
  members: [
    { ...member, handle: 'parser-lead', role: 'lead', driver: 'claude', state: 'idle' },
    { ...member, handle: 'parser-1', state: 'awaiting_permission', worktree: '/w/parser-1', branch: 'rein/parser-1' },
    { ...member, handle: 'parser-2', state: 'idle' },
  ],
  blockers: [{ id: 'evt_1', from: 'agent parser-1', at: now - 3000, text: 'No\nschema \u001b[31m' }],
  leases: [],
  handoverAt: now - 120_000,
  problems: ['parser-2 is gone (crashed): rein restart parser-2'],
}

describe('a task', () => {
  test('in a list: how many agents in which state, what blocks, what is wrong', () => {
    const [, row] = taskTable([task], now).split('\n')
    expect(row?.split(/ {2,}/)).toEqual(['parser', 'running', '1m', '2 idle, 1 awaiting permission', '1', '1'])
    expect(taskTable([], now)).toContain('rein task new')
  })

  test('as a whole: what agents wrote is on one line and steers no terminal', () => {
    const text = taskText(task, now, style)
    expect(text).toContain('; the last handover was written 2m ago')
    expect(text).toMatch(/^parser-1 +member +codex +awaiting permission +5s +\/w\/parser-1 \(rein\/parser-1\)$/m)
    expect(text).toMatch(/blocked.* evt_1 from agent parser-1, 3s ago: No schema \\u\{1b\}\[31m$/m)
    expect(text.split('\n').at(-1)).toContain('parser-2 is gone')
  })

  test('without agents says how to get one', () => {
    expect(taskText({ ...task, members: [], blockers: [], problems: [] }, now, style)).toContain(
      'rein task start parser',
    )
  })
})

test('a team: who is wanted, who runs, and why one does not', () => {
  const agent = { driver: 'claude', task: null, did: 'nothing' as const, error: null }
  const team: TeamView = {
    file: '/p/.rein/team.toml',
    project: 'shop-1a2b3c',
    agents: [
      { ...agent, handle: 'ada', state: 'idle', did: 'started', task: 'parser' },
      { ...agent, handle: 'bob', state: null, error: 'Claude Code was not found.' },
    ],
  }
  const text = teamText(team)
  expect(text).toMatch(/^ada +claude +parser +idle +started$/m)
  expect(text).toMatch(/^bob +claude +- +not started +-$/m)
  expect(text.split('\n').slice(-2)).toEqual(['bob: Claude Code was not found.', 'Running: 1 of 2 agents.'])
})
