import { expect, test } from 'vitest'
import { aCall, anEntry, now } from '../../../test/support/builders.ts'
import { countHeld } from '../../../test/support/retained.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import { claude } from '../../drivers/claude/driver.ts'
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

const seen = async (one: Deeds): Promise<string[]> =>
  (await one.ran('a')).map(({ command, isSuccess, isSinceEdit, isThisTurn }) =>
    [command, isSuccess ? 'ok' : 'not ok', isSinceEdit ? 'since' : 'before', isThisTurn ? 'now' : 'earlier'].join(', '),
  )

test('a command counts until a file is changed, by a tool or by a command', async () => {
  const one = deeds()
  await one.heard('a', ended(write('t1')))
  await one.heard('a', ended(bash('t2', 'npm test')))
  expect([await seen(one), await one.hasEdited('a')]).toEqual([['npm test, ok, since, now'], true])
  await one.heard('a', ended(write('t3')))
  expect(await seen(one)).toEqual(['npm test, ok, before, now'])
  await one.heard('a', ended(bash('t4', 'npm test')))
  await one.heard('a', ended(bash('t5', 'sed -i s/a/b/ a.ts')))
  one.beginTurn('a')
  expect((await seen(one)).slice(1)).toEqual([
    'npm test, ok, before, earlier',
    'sed -i s/a/b/ a.ts, ok, since, earlier',
  ])
  one.beginSession('a')
  expect([await seen(one), await one.hasEdited('a')]).toEqual([[], false])
})

test('what hook and transcript both tell counts once; a refused call counts never', async () => {
  const one = deeds()
  one.refused('a', aCall({ event: 'before_tool', tools: [write('t0')] }))
  await one.heard('a', ended(write('t0')))
  expect(await one.hasEdited('a')).toBe(false)
  await one.heard('a', ended(bash('t1', 'npm test')))
  await one.read('a', 'claude', entryOf(used('t1', 'npm test'), used('t2', 'make')))
  await one.read('a', 'claude', entryOf({ type: 'tool_result', id: 't1', text: '', isError: false }))
  await one.read('a', 'claude', entryOf({ type: 'tool_result', id: 't2', text: '', isError: false }))
  expect((await seen(one)).map((line) => line.split(',')[0])).toEqual(['npm test', 'make'])
})

test('a call without an id is left to the transcript', async () => {
  const one = deeds()
  await one.heard('a', ended(bash(null, 'npm test')))
  expect(await seen(one)).toEqual([])
})

test('an edit without an id counts at once, and a run that the transcript tells after it is since that edit', async () => {
  const one = deeds()
  await one.heard('a', ended(write(null)))
  expect([await seen(one), await one.hasEdited('a')]).toEqual([[], true])
  const edit: TurnBlock = { type: 'tool_use', id: 't1', name: 'Write', input: { file_path: 'a.ts', content: 'x' } }
  await one.read('a', 'claude', entryOf(edit, { type: 'tool_result', id: 't1', text: '', isError: false }))
  await one.read(
    'a',
    'claude',
    entryOf(used('t2', 'npm test'), { type: 'tool_result', id: 't2', text: '', isError: false }),
  )
  expect((await one.ran('a')).map(({ isSinceEdit }) => isSinceEdit)).toEqual([true])
  await one.heard('a', ended(bash(null, 'sed -i s/a/b/ a.ts')))
  expect((await one.ran('a')).map(({ isSinceEdit }) => isSinceEdit)).toEqual([false])
})

test('a change of the files that nothing explains is of the last command, which has seen it', async () => {
  const one = deeds()
  await one.heard('a', ended(bash('t1', 'npm test')))
  one.saved('a', 'tree 1')
  await one.heard('a', ended(bash('t2', './generate')))
  one.saved('a', 'tree 2')
  expect(await seen(one)).toEqual(['npm test, ok, before, now', './generate, ok, since, now'])
  // Somebody else has edited.
  one.saved('a', 'tree 3')
  expect((await seen(one)).at(-1)).toBe('./generate, ok, since, now')
  await one.heard('a', ended(write('t3')))
  await one.heard('a', ended(bash('t4', 'npm test')))
  one.saved('a', 'tree 3')
  expect((await seen(one)).at(-1)).toBe('npm test, ok, since, now')
})

const atTime = (at: number, ...blocks: TurnBlock[]) => anEntry({ at, blocks })
const done = (id: string, isError = false): TurnBlock => ({ type: 'tool_result', id, text: '', isError })

test('what was done before the daemon began is read again, with the turns and the files as they were', async () => {
  const saved = [10, 25, 45].map((at, index) => ({ at, tree: ['tree 1', 'tree 1', 'tree 2'][index] ?? '' }))
  const one = deeds({ since: 100, snapshots: () => saved })
  await one.read('a', 'claude', anEntry({ at: 11, kind: 'prompt' }))
  await one.read('a', 'claude', atTime(20, used('t1', 'npm test')))
  await one.read('a', 'claude', atTime(26, done('t1')))
  await one.read('a', 'claude', anEntry({ at: 30, kind: 'prompt' }))
  await one.read('a', 'claude', atTime(40, used('t2', './generate')))
  // Its result is written after the hook that has the files saved, or before.
  await one.read('a', 'claude', atTime(46, done('t2')))
  expect([await seen(one), await one.hasEdited('a')]).toEqual([
    ['npm test, ok, before, earlier', './generate, ok, since, now'],
    true,
  ])
})

test('what a person changed meanwhile is not of the agent, unless nobody can tell', async () => {
  const saved = [10, 45].map((at) => ({ at, tree: `tree ${at}` }))
  const told = deeds({ since: 100, snapshots: () => saved })
  await told.read('a', 'claude', anEntry({ at: 11, kind: 'prompt' }))
  expect(await told.hasEdited('a')).toBe(false)
  expect(await deeds({ since: 100, snapshots: () => saved }).hasEdited('a')).toBe(true)
})

test('a sub-agent from before the daemon may have edited, where no files were saved', async () => {
  const task: TurnBlock = { type: 'tool_use', id: 't1', name: 'Task', input: {} }
  const edited = async (given: Partial<DeedPorts>): Promise<boolean> => {
    const one = deeds(given)
    await one.read('a', 'claude', atTime(20, task))
    await one.read('a', 'claude', atTime(30, done('t1')))
    return one.hasEdited('a')
  }
  const same = [10, 25].map((at) => ({ at, tree: 'tree' }))
  const asked = [edited({ since: 100 }), edited({ since: 100, snapshots: () => same }), edited({})]
  expect(await Promise.all(asked)).toEqual([true, false, false])
})

test('what calls were to write is not kept when they have ended', async () => {
  const one = deeds()
  const work = async (): Promise<WeakRef<object>[]> => {
    const inputs: WeakRef<object>[] = []
    for (let n = 0; n < 100; n += 1) {
      const input = { file_path: 'a.ts', content: `${n}` }
      inputs.push(new WeakRef(input))
      await one.read('a', 'claude', entryOf({ type: 'tool_use', id: `t${n}`, name: 'Write', input }))
      await one.read('a', 'claude', entryOf({ type: 'tool_result', id: `t${n}`, text: 'ok', isError: false }))
    }
    return inputs
  }
  expect(await countHeld(await work())).toBe(0)
  expect(await one.hasEdited('a')).toBe(true)
})
