import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Edits } from './diff.ts'
import type { Held } from './held.ts'
import { inTheWay, planRestore } from './plan.ts'
import { fileMode } from './tree.ts'

const file = { mode: fileMode, id: '1' }
const other = { mode: fileMode, id: '2' }
const heldWith = (more: Partial<Held> = {}): Held => ({
  id: '',
  tree: '',
  head: null,
  branch: null,
  index: null,
  layers: [{ path: '', files: '', head: null, ignore: '', gitFile: null }],
  modes: new Map(),
  emptyDirs: [],
  skipped: [],
  ...more,
})
const layer = (path: string): Held['layers'][number] => ({ path, files: '', head: null, ignore: '', gitFile: null })

const edits: Edits = new Map([
  ['changed', { from: file, to: other, lines: null }],
  ['wanted', { from: null, to: file, lines: null }],
  ['gone', { from: file, to: null, lines: null }],
  ['lib/gone', { from: file, to: null, lines: null }],
])

describe('a plan', () => {
  test('writes what the target has and deletes what it has not', () => {
    const plan = planRestore(edits, heldWith(), heldWith(), new Set())
    expect([...plan.writes.keys()]).toEqual(['changed', 'wanted'])
    expect([...plan.removals]).toEqual(['gone', 'lib/gone'])
    expect(plan.kept).toEqual([])
  })

  test('keeps what is ignored, and writes it all the same if the target has it', () => {
    const plan = planRestore(edits, heldWith(), heldWith(), new Set(['gone', 'changed']))
    expect(plan.kept).toEqual([{ path: 'gone', reason: 'ignored' }])
    expect(plan.writes.has('changed')).toBe(true)
  })

  test('touches nothing that the snapshot of now does not hold', () => {
    const skipped = [
      { path: 'changed', reason: 'too large' as const, bytes: 1 },
      { path: 'lib/', reason: 'unreadable' as const, bytes: 0 },
    ]
    const plan = planRestore(edits, heldWith({ skipped }), heldWith(), new Set())
    expect(plan.kept).toEqual([
      { path: 'changed', reason: 'not saved' },
      { path: 'lib/gone', reason: 'not saved' },
    ])
  })

  test('deletes nothing that the target left out, and nothing in a repository it does not know', () => {
    const skipped = [{ path: 'gone', reason: 'too large' as const, bytes: 1 }]
    const plan = planRestore(edits, heldWith({ layers: [layer(''), layer('lib')] }), heldWith({ skipped }), new Set())
    expect(plan.kept).toEqual([
      { path: 'gone', reason: 'left out' },
      { path: 'lib/gone', reason: 'repository' },
    ])
  })

  test('does each path exactly once, or says why not', () => {
    const path = fc.constantFrom('a', 'b', 'b/c', 'd')
    const edit = fc.constantFrom({ from: file, to: null }, { from: null, to: file }, { from: file, to: other })
    const all = fc
      .dictionary(path, edit)
      .map((found) => new Map(Object.entries(found).map(([one, what]) => [one, { ...what, lines: null }])))
    fc.assert(
      fc.property(all, fc.uniqueArray(path), fc.uniqueArray(path), (changes, ignored, large) => {
        const skipped = large.map((one) => ({ path: one, reason: 'too large' as const, bytes: 1 }))
        const { writes, removals, kept } = planRestore(changes, heldWith({ skipped }), heldWith(), new Set(ignored))
        const done = [...writes.keys(), ...removals, ...kept.map((one) => one.path)]
        expect(done.toSorted()).toEqual([...changes.keys()].toSorted())
        for (const one of ignored) expect(removals.has(one)).toBe(false)
        for (const one of large) expect(writes.has(one) || removals.has(one)).toBe(false)
      }),
    )
  })

  test('begins with what is in the way', () => {
    const writes = new Map([
      ['a/b', file],
      ['c', file],
    ])
    const removals = new Set(['a', 'c/d/e', 'f', 'ab', 'cd/e'])
    expect([...inTheWay({ writes, removals })]).toEqual(['a', 'c/d/e'])
  })
})
