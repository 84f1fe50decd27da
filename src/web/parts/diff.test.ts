import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DiffLine, diffTexts, parsePatch } from './diff.ts'

const plain = (lines: readonly DiffLine[]): string[] =>
  lines.map((line) => {
    if (line.kind === 'skip') return `… ${line.count}`
    if ('text' in line) return line.text
    const mark = { same: ' ', add: '+', remove: '-' }[line.kind]
    return `${mark}${line.parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')}`
  })

describe('diffTexts', () => {
  test('marks the words that changed', () => {
    expect(plain(diffTexts('const a = 1\nsame\n', 'const a = 2\nsame\n'))).toEqual([
      '-const a = [1]',
      '+const a = [2]',
      ' same',
    ])
  })

  test('lines with little in common are not one changed line', () => {
    expect(plain(diffTexts('return null\n', 'throw new Error(message)\n'))).toEqual([
      '-return null',
      '+throw new Error(message)',
    ])
  })

  test('a new file is added as a whole, an emptied one removed', () => {
    expect(plain(diffTexts('', 'a\nb\n'))).toEqual(['+a', '+b'])
    expect(plain(diffTexts('a\n', ''))).toEqual(['-a'])
  })

  test('a line end at the end that comes or goes is a change', () => {
    expect(plain(diffTexts('a\n', 'a'))).toEqual([' a', '-'])
    expect(plain(diffTexts('a', 'a\n'))).toEqual([' a', '+'])
    expect(plain(diffTexts('a\n', 'b\n'))).toEqual(['-a', '+b'])
  })

  test('leaves out what is far from any change', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
    const changed = lines.with(10, 'other')
    const shown = plain(diffTexts(lines.join('\n'), changed.join('\n')))
    expect(shown.at(0)).toBe('… 7')
    expect(shown.at(-1)).toBe('… 6')
    expect(shown).toHaveLength(10)
  })

  test('holds both texts, whatever they are', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'a b c', 'x = 1', 'x = 2'), { maxLength: 6 })
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = diffTexts(before.join('\n'), after.join('\n'))
        const side = (without: string): string[] =>
          lines.flatMap((line) =>
            'parts' in line && line.kind !== without ? [line.parts.map(({ text }) => text).join('')] : [],
          )
        // Equal lines may be left out where nothing changed.
        if (lines.some(({ kind }) => kind === 'skip')) return
        expect(side('add')).toEqual(before)
        expect(side('remove')).toEqual(after)
      }),
    )
  })
})

describe('parsePatch', () => {
  test('reads a patch of git', () => {
    const patch = [
      'diff --git a/src/a.ts b/src/a.ts',
      'index 1..2 100644',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -1,2 +1,2 @@',
      ' same',
      '-let a = 1',
      '+let a = 2',
    ].join('\n')
    expect(plain(parsePatch(patch))).toEqual(['src/a.ts', '@@ -1,2 +1,2 @@', ' same', '-let a = [1]', '+let a = [2]'])
  })

  test('a removed line that begins with dashes is no heading', () => {
    const patch = ['--- a/x.sql', '+++ b/x.sql', '@@ -1,2 +1,2 @@', '--- old', '+++ new', ' same']
    expect(plain(parsePatch(patch.join('\n')))).toEqual(['@@ -1,2 +1,2 @@', '--- old', '+++ new', ' same'])
    const ofModel = ['*** Begin Patch', '*** Update File: x.sql', '@@', '--- old', '+++ new', '@@', '*** End Patch']
    expect(plain(parsePatch(ofModel.join('\n')))).toEqual(['Update File: x.sql', '@@', '--- old', '+++ new', '@@'])
  })

  test('the headings of a file after a hunk whose numbers are wrong are headings', () => {
    const patch = [
      '--- a',
      '+++ b',
      '@@ -1,9 +1,9 @@',
      '-x',
      'diff --git a/c b/c',
      '--- a/c',
      '+++ b/c',
      '@@ -1 +1 @@',
      '-y',
    ]
    expect(plain(parsePatch(patch.join('\n')))).toEqual(['@@ -1,9 +1,9 @@', '-x', 'c', '@@ -1 +1 @@', '-y'])
  })

  test('a line that is hard to read is read in one go', () => {
    expect(parsePatch(`diff --git a/${' b/'.repeat(200_000)}\r`)).toMatchObject([{ kind: 'file' }])
  })

  test('reads a patch as models write it', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-old\n+new\n*** End Patch'
    expect(plain(parsePatch(patch))).toEqual(['Update File: a.ts', '@@', '-old', '+new'])
  })
})
