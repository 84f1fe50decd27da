import { describe, expect, test } from 'vitest'
import type { Question } from '../../contract/agent.ts'
import { askedParts } from './asked-input.ts'

const question = (input: Record<string, unknown>, given: Partial<Question> = {}): Question => ({
  id: 'toolu_1',
  kind: 'permission',
  tool: 'Edit',
  input,
  summary: 'Edit a',
  ...given,
})

describe('askedParts', () => {
  test('an edit is a diff without anything left out, its other fields stand beside it', () => {
    const before = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')
    const [all, diff, ...rest] = askedParts(
      question({ file_path: 'a', old_string: `${before}\nend`, new_string: `${before}\nEND`, replace_all: true }),
    )
    expect(all).toEqual({ kind: 'text', name: 'replace_all', text: 'true' })
    expect(diff?.kind === 'diff' && diff.lines.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 40 }, () => 'same'),
      'remove',
      'add',
    ])
    expect(rest).toEqual([])
  })

  test('a patch keeps its headings', () => {
    const patch = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n c'
    const [part] = askedParts(question({ patch }))
    expect(part?.kind === 'diff' && part.lines.map((line) => ('text' in line ? line.text : line.kind))).toEqual([
      '--- a/x',
      '+++ b/x',
      '@@ -1 +1 @@',
      'remove',
      'add',
      'same',
    ])
  })

  test.each([
    [
      '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n same\n--- a/y\n+++ b/y\n@@ -1 +1 @@',
      ['remove', 'add', 'same', 'hunk', 'hunk', 'hunk'],
    ],
    ['--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n--- comment\n c', ['remove', 'same']],
    ['*** Begin Patch\n*** Update File: x\n@@\n--- old\n+++ new\n*** End Patch', ['remove', 'add', 'hunk']],
    ['*** Begin Patch\n*** Update File: x\n@@\n-- old\n- older\n*** End Patch', ['remove', 'remove', 'hunk']],
  ])('a line that begins like a heading is none within a hunk', (patch, kinds) => {
    const [part] = askedParts(question({ patch }))
    expect(part?.kind === 'diff' && part.lines.slice(3).map(({ kind }) => kind)).toEqual(kinds)
  })

  test('a line end that goes is shown', () => {
    const [part] = askedParts(question({ file_path: 'a', old_string: 'a\n', new_string: 'a' }))
    expect(part?.kind === 'diff' && part.lines.map(({ kind }) => kind)).toEqual(['same', 'remove'])
  })

  test('a dialog shows its words, a call without input its summary', () => {
    expect(askedParts(question({}, { summary: 'Trust this folder?' }))).toEqual([
      { kind: 'text', name: '', text: 'Trust this folder?' },
    ])
    expect(askedParts(question({ more: 1 }, { kind: 'question', summary: 'Which?' }))).toEqual([
      { kind: 'text', name: '', text: 'Which?' },
      { kind: 'text', name: 'more', text: '1' },
    ])
  })

  test('questions that have a form of their own are not told twice', () => {
    expect(askedParts(question({ questions: [{}], more: 'x' }, { kind: 'question' }), true)).toEqual([
      { kind: 'text', name: 'more', text: 'x' },
    ])
  })
})
