import { describe, expect, test } from 'vitest'
import { changesOf, type Edits, parseDiff } from './diff.ts'
import type { Held } from './held.ts'

const ids = ['1', '2'].map((digit) => digit.repeat(40)) as [string, string]
const none = '0'.repeat(40)
const heldWith = (modes: [string, number][], emptyDirs: string[] = []): Held => ({
  id: '',
  tree: '',
  head: null,
  branch: null,
  index: null,
  layers: [],
  skipped: [],
  modes: new Map(modes),
  emptyDirs,
})

describe('what git says of a difference', () => {
  test('is understood, whatever the names', () => {
    const raw = `:100644 100755 ${ids[0]} ${ids[1]} M\0new\nline\0:000000 120000 ${none} ${ids[1]} A\0:link\0:100644 000000 ${ids[0]} ${none} D\0gone\0`
    const output = Buffer.from(`${raw}3\t1\tnew\nline\0-\t-\t:link\u00000\t12\tgone\0`)
    const edits = parseDiff(output)
    expect([...edits]).toEqual([
      [
        'new\nline',
        { from: { mode: '100644', id: ids[0] }, to: { mode: '100755', id: ids[1] }, lines: { added: 3, removed: 1 } },
      ],
      [':link', { from: null, to: { mode: '120000', id: ids[1] }, lines: null }],
      ['gone', { from: { mode: '100644', id: ids[0] }, to: null, lines: { added: 0, removed: 12 } }],
    ])
    expect(parseDiff(Buffer.alloc(0)).size).toBe(0)
  })

  test('is told with its kinds, and with permissions and empty directories besides', () => {
    const entry = (mode: string, id: string): { mode: string; id: string } => ({ mode, id })
    const edits: Edits = new Map([
      ['added', { from: null, to: entry('100644', ids[0]), lines: { added: 1, removed: 0 } }],
      ['dir/deleted', { from: entry('100644', ids[0]), to: null, lines: null }],
      ['mode', { from: entry('100644', ids[0]), to: entry('100755', ids[0]), lines: { added: 0, removed: 0 } }],
      ['type', { from: entry('100644', ids[0]), to: entry('120000', ids[1]), lines: null }],
      ['modified', { from: entry('100644', ids[0]), to: entry('100644', ids[1]), lines: { added: 2, removed: 2 } }],
    ])
    const before = heldWith(
      [
        ['key', 0o600],
        ['same', 0o600],
        ['dir/', 0o700],
      ],
      ['left'],
    )
    const after = heldWith(
      [
        ['same', 0o600],
        ['made/', 0o700],
        ['modified', 0o600],
      ],
      ['made', 'dir'],
    )
    const told = changesOf(edits, before, after).map(({ path, kind }) => `${kind} ${path}`)
    expect(told).toEqual([
      'added added',
      'deleted dir/deleted',
      'mode key',
      'deleted left/',
      'added made/',
      'mode mode',
      'modified modified',
      'type type',
    ])
  })
})
