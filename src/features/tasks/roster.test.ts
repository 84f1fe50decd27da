import { expect, test } from 'vitest'
import { rosterOf } from './roster.ts'

const shown = (worktrees: 'none' | 'task' | 'agent', agents: number, drivers: string[]): string[] =>
  rosterOf({ name: 'Parser', worktrees }, agents, drivers).map(
    ({ handle, role, driver, tree }) => `${handle} ${role} ${driver} ${tree ?? '-'}`,
  )

test('drivers are dealt out one after the other, the first to the lead, too', () => {
  expect(shown('none', 3, ['claude', 'codex'])).toEqual([
    'parser-lead lead claude -',
    'parser-1 member claude -',
    'parser-2 member codex -',
    'parser-3 member claude -',
  ])
})

test('one work tree for all, or one for each with the lead in the one that is put together', () => {
  expect(shown('task', 1, ['claude'])).toEqual(['parser-lead lead claude Parser', 'parser-1 member claude Parser'])
  expect(shown('agent', 1, ['claude'])).toEqual(['parser-lead lead claude Parser', 'parser-1 member claude Parser-1'])
})

test('a lead alone', () => {
  expect(shown('none', 0, ['codex'])).toEqual(['parser-lead lead codex -'])
})
