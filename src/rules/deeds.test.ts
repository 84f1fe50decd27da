import { expect, test } from 'vitest'
import { aCall, anEntry, now } from '../../test/builders.ts'
import type { TurnBlock } from '../contract/turn.ts'
import { claude } from '../drivers/claude/driver.ts'
import { type DeedPorts, Deeds } from './deeds.ts'

const deeds = (given: Partial<DeedPorts> = {}): Deeds =>
  new Deeds({
    driver: () => claude,
    changesFiles: (command) => command.startsWith('sed -i'),
    now: () => now,
    since: 0,
    snapshots: () => [],
    ...given,
  })

const bash = (id: string | null, command: string, response: unknown = { stdout: '', stderr: '' }) => ({
  id,
  name: 'Bash',
  input: { command },
  response,
})
const write = (id: string | null) => ({ id, name: 'Write', input: { file_path: 'a.ts', content: 'x' }, response: {} })
const ended = (...tools: ReturnType<typeof bash>[] | ReturnType<typeof write>[]) =>
  aCall({ event: 'after_tool', native: 'PostToolUse', tools })
const entryOf = (...blocks: TurnBlock[]) => anEntry({ blocks })
const used = (id: string, command: string): TurnBlock => ({ type: 'tool_use', id, name: 'Bash', input: { command } })

const seen = (one: Deeds): string[] =>
  one
    .ran('a')
    .map(({ command, isSuccess, isSinceEdit, isThisTurn }) =>
      [command, isSuccess ? 'ok' : 'not ok', isSinceEdit ? 'since' : 'before', isThisTurn ? 'now' : 'earlier'].join(
        ', ',
      ),
    )

test('a command counts until a file is changed, by a tool or by a command', () => {
  const one = deeds()
  one.heard('a', ended(write('t1')))
  one.heard('a', ended(bash('t2', 'npm test')))
  expect([seen(one), one.hasEdited('a')]).toEqual([['npm test, ok, since, now'], true])
  one.heard('a', ended(write('t3')))
  expect(seen(one)).toEqual(['npm test, ok, before, now'])
  one.heard('a', ended(bash('t4', 'npm test')))
  one.heard('a', ended(bash('t5', 'sed -i s/a/b/ a.ts')))
  one.beginTurn('a')
  expect(seen(one).slice(1)).toEqual(['npm test, ok, before, earlier', 'sed -i s/a/b/ a.ts, ok, since, earlier'])
  one.beginSession('a')
  expect([seen(one), one.hasEdited('a')]).toEqual([[], false])
})

test('what hook and transcript both tell counts once; a refused call counts never', () => {
  const one = deeds()
  one.refused('a', aCall({ event: 'before_tool', tools: [write('t0')] }))
  one.heard('a', ended(write('t0')))
  expect(one.hasEdited('a')).toBe(false)
  one.heard('a', ended(bash('t1', 'npm test')))
  one.read('a', 'claude', entryOf(used('t1', 'npm test'), used('t2', 'make')))
  one.read('a', 'claude', entryOf({ type: 'tool_result', id: 't1', text: '', isError: false }))
  one.read('a', 'claude', entryOf({ type: 'tool_result', id: 't2', text: '', isError: false }))
  expect(seen(one).map((line) => line.split(',')[0])).toEqual(['npm test', 'make'])
})

test('a call without an id is left to the transcript', () => {
  const one = deeds()
  one.heard('a', ended(bash(null, 'npm test')))
  expect(seen(one)).toEqual([])
})

test('an edit without an id counts at once, and a run that the transcript tells after it is since that edit', () => {
  const one = deeds()
  one.heard('a', ended(write(null)))
  expect([seen(one), one.hasEdited('a')]).toEqual([[], true])
  const edit: TurnBlock = { type: 'tool_use', id: 't1', name: 'Write', input: { file_path: 'a.ts', content: 'x' } }
  one.read('a', 'claude', entryOf(edit, { type: 'tool_result', id: 't1', text: '', isError: false }))
  one.read('a', 'claude', entryOf(used('t2', 'npm test'), { type: 'tool_result', id: 't2', text: '', isError: false }))
  expect(one.ran('a').map(({ isSinceEdit }) => isSinceEdit)).toEqual([true])
  one.heard('a', ended(bash(null, 'sed -i s/a/b/ a.ts')))
  expect(one.ran('a').map(({ isSinceEdit }) => isSinceEdit)).toEqual([false])
})

test('a change of the files that nothing explains is of the last command, which has seen it', () => {
  const one = deeds()
  one.heard('a', ended(bash('t1', 'npm test')))
  one.saved('a', 'tree 1')
  one.heard('a', ended(bash('t2', './generate')))
  one.saved('a', 'tree 2')
  expect(seen(one)).toEqual(['npm test, ok, before, now', './generate, ok, since, now'])
  // Somebody else has edited.
  one.saved('a', 'tree 3')
  expect(seen(one).at(-1)).toBe('./generate, ok, since, now')
  one.heard('a', ended(write('t3')))
  one.heard('a', ended(bash('t4', 'npm test')))
  one.saved('a', 'tree 3')
  expect(seen(one).at(-1)).toBe('npm test, ok, since, now')
})

const atTime = (at: number, ...blocks: TurnBlock[]) => anEntry({ at, blocks })
const done = (id: string, isError = false): TurnBlock => ({ type: 'tool_result', id, text: '', isError })

test('what was done before the daemon began is read again, with the turns and the files as they were', () => {
  const saved = [10, 25, 45].map((at, index) => ({ at, tree: ['tree 1', 'tree 1', 'tree 2'][index] ?? '' }))
  const one = deeds({ since: 100, snapshots: () => saved })
  one.read('a', 'claude', anEntry({ at: 11, kind: 'prompt' }))
  one.read('a', 'claude', atTime(20, used('t1', 'npm test')))
  one.read('a', 'claude', atTime(26, done('t1')))
  one.read('a', 'claude', anEntry({ at: 30, kind: 'prompt' }))
  one.read('a', 'claude', atTime(40, used('t2', './generate')))
  // Its result is written after the hook that has the files saved, or before.
  one.read('a', 'claude', atTime(46, done('t2')))
  expect([seen(one), one.hasEdited('a')]).toEqual([
    ['npm test, ok, before, earlier', './generate, ok, since, now'],
    true,
  ])
})

test('what a person changed meanwhile is not of the agent, unless nobody can tell', () => {
  const saved = [10, 45].map((at) => ({ at, tree: `tree ${at}` }))
  const told = deeds({ since: 100, snapshots: () => saved })
  told.read('a', 'claude', anEntry({ at: 11, kind: 'prompt' }))
  expect(told.hasEdited('a')).toBe(false)
  expect(deeds({ since: 100, snapshots: () => saved }).hasEdited('a')).toBe(true)
})

test('a sub-agent from before the daemon may have edited, where no files were saved', () => {
  const task: TurnBlock = { type: 'tool_use', id: 't1', name: 'Task', input: {} }
  const edited = (given: Partial<DeedPorts>): boolean => {
    const one = deeds(given)
    one.read('a', 'claude', atTime(20, task))
    one.read('a', 'claude', atTime(30, done('t1')))
    return one.hasEdited('a')
  }
  const same = [10, 25].map((at) => ({ at, tree: 'tree' }))
  expect([edited({ since: 100 }), edited({ since: 100, snapshots: () => same }), edited({})]).toEqual([
    true,
    false,
    false,
  ])
})
