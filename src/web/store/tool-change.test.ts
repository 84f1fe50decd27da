import { expect, test } from 'vitest'
import { changeOf } from './tool-change.ts'

const kinds = (input: Record<string, unknown>): string[] | undefined => changeOf(input)?.lines.map(({ kind }) => kind)

test.each([
  { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
  { filePath: 'a.ts', oldString: 'a', newString: 'b' },
  { path: 'a.ts', old_str: 'a', new_str: 'b' },
  { file_path: 'a.ts', edits: [{ old_string: 'a', new_string: 'b' }] },
])('an edit is removed and added lines: %j', (input) => {
  expect(kinds(input)).toEqual(['remove', 'add'])
  expect(changeOf(input)?.path).toBe('a.ts')
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
