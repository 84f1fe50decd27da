import { expect, test } from 'vitest'
import { readPermission } from './acp-permission.ts'
import { findDriver } from './registry.ts'

const asked = (toolCall: Record<string, unknown>) => readPermission(0, { toolCall }).question

const diff = (oldText: string, newText: string) => ({
  title: 'Writing to a.txt',
  kind: 'edit',
  content: [{ type: 'diff', path: '/w/a.txt', oldText, newText, _meta: { kind: 'modify' } }],
})

test('a command that is shown only as a title is the command', () => {
  const question = asked({ title: 'echo "a\nb"\ntouch x', kind: 'execute', content: [], locations: [] })
  expect(question).toMatchObject({ tool: 'execute', input: { command: 'echo "a\nb"\ntouch x' } })
})

test.each([
  ['', 'one\n', { isNew: true, old: '', new: 'one\n' }],
  ['a\nb\nc\nd\n', 'a\nB\nc\nd\n', { old: 'b\n', new: 'B\n' }],
  ['a\nb', 'a\nb\nc', { old: 'b', new: 'b\nc' }],
  ['a\na\na\n', 'a\na\n', { old: 'a\n', new: '' }],
  ['a\n', 'a\na\n', { old: '', new: 'a\n' }],
  ['a\n', 'a\n', { old: '', new: '' }],
])('of whole files the lines that differ are kept: %j, %j', (old, text, expected) => {
  expect(asked(diff(old, text)).input).toEqual({
    description: 'Writing to a.txt',
    changes: [{ path: '/w/a.txt', isNew: false, ...expected }],
  })
})

test('what is shown becomes actions', () => {
  const { tool, input } = asked(diff('one\nrest\n', 'two\nrest\n'))
  expect(findDriver('gemini').actions(tool, input).actions).toEqual([
    { kind: 'edit', path: '/w/a.txt', replacements: [{ old: 'one\n', new: 'two\n', isEverywhere: false }] },
  ])
})

test('an input that is told stays as it is', () => {
  expect(asked({ ...diff('', 'x'), rawInput: { command: 'ls' } }).input).toEqual({ command: 'ls' })
})
