import { expect, test } from 'vitest'
import { changeOf } from './tool-change.ts'

const kinds = (input: Record<string, unknown>): string[] | undefined => changeOf(input)?.lines.map(({ kind }) => kind)

test('an edit is removed and added lines, of a file that is named once', () => {
  const edit = { file_path: 'a.ts', old_string: 'a', new_string: 'b' }
  expect([changeOf(edit)?.path, kinds(edit)]).toEqual(['a.ts', ['remove', 'add']])
})

test('edits of several files name each', () => {
  const edits = ['a.ts', 'b.ts'].map((path) => ({ path, oldText: 'a', newText: 'b' }))
  expect(kinds({ edits })).toEqual(['file', 'remove', 'add', 'file', 'remove', 'add'])
})

test('a written file is all new', () => {
  expect(kinds({ file_path: 'a.ts', content: 'x\ny\n' })).toEqual(['add', 'add'])
})

test('a patch names its own files', () => {
  expect(kinds({ input: '*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch' })).toEqual(['file', 'add'])
})

test.each([{ command: 'ls' }, { file_path: 'a.ts' }, { input: 'some words' }, {}])('%j changes no text', (input) => {
  expect(changeOf(input)).toBeNull()
})
