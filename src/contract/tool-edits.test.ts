import { describe, expect, test } from 'vitest'
import { besidesEdits, editsOf, patchOf } from './tool-edits.ts'

describe('editsOf', () => {
  test.each([
    [{ file_path: 'a', old_string: 'b', new_string: 'c' }, [{ file: 'a', before: 'b', after: 'c' }]],
    [{ path: 'a', content: 'whole' }, [{ file: 'a', before: '', after: 'whole' }]],
    [
      {
        changes: [
          { path: 'x', isNew: true, old: '', new: 'y' },
          { path: 'z', old: 'p', new: 'q' },
        ],
      },
      [
        { file: 'x', before: '', after: 'y' },
        { file: 'z', before: 'p', after: 'q' },
      ],
    ],
    [{ command: 'rm' }, []],
    [{ old_string: 'without', new_string: 'a file' }, []],
  ])('%j', (input, edits) => {
    expect(editsOf(input)).toEqual(edits)
  })
})

describe('besidesEdits', () => {
  test('nothing hides behind an edit', () => {
    const input = { file_path: 'a', old_string: 'b', new_string: 'c', replace_all: true, content: 'd', command: 'c' }
    expect(besidesEdits(input)).toEqual({ replace_all: true, content: 'd', command: 'c' })
    expect(besidesEdits({ path: 'a', edits: [{ old_str: 'b', new_str: 'c', all: true }] })).toEqual({
      edits: [{ all: true }],
    })
    expect(besidesEdits({ changes: [{ path: 'x', isNew: true, old: '', new: 'y', command: 'y' }] })).toEqual({
      changes: [{ isNew: true, command: 'y' }],
    })
  })

  test.each([
    { path: 'a', old_str: 'b', new_str: 'c', edits: 'rm -rf /' },
    { path: 'a', old_str: 'b', new_str: 'c', edits: { command: 'rm' } },
    { path: 'a', old_str: 'b', new_str: 'c', edits: ['rm', { old_str: 'only one half' }, { path: 'd' }] },
  ])('nor in a list that is none, or has parts that are no edits: %j', (input) => {
    expect(besidesEdits(input)).toEqual({ edits: input.edits })
  })
})

test('a patch is one text', () => {
  const input = { patch: '*** Begin Patch\n*** Update File: a\n-b\n*** End Patch\n', why: 'so' }
  expect(patchOf(input)).toEqual(['*** Begin Patch', '*** Update File: a', '-b', '*** End Patch'])
  expect(besidesEdits(input)).toEqual({ why: 'so' })
})
