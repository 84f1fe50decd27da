import { expect, test } from 'vitest'
import { loadRules } from '../load.ts'
import { plainWorld } from '../plain-world.ts'
import { checkFile, fileRules } from './check-file.ts'

const world = plainWorld({ root: '/project', now: () => 0 })

const check = async (rules: string, content: string, file = 'src/a.ts') => {
  const text = `version: 1\nrules:\n${rules}`
  const set = await loadRules([{ origin: 'project', file: '/project/.rein/rules/x.yaml', text, isTrusted: true }])
  expect(set.problems).toEqual([])
  return checkFile(fileRules(set.rules), file, content, world)
}

const word = (on: string, target: string): string =>
  `  - { name: word, on: ${on}, when: { regex: { pattern: 'bad\\w*', on: ${target} } }, message: no }`

test.each(['content', 'added', 'result'])('the place in the file, also after empty lines: %s', async (target) => {
  const found = await check(word('[write, edit]', target), 'a\n\n\n  bad1 x\r\nbad2\n')
  expect(found).toMatchObject([
    { line: 4, column: 3, endLine: 4, endColumn: 7, text: '  bad1 x' },
    { line: 5, column: 1, endLine: 5, endColumn: 5, text: 'bad2' },
  ])
})

test('a rule on edits alone counts as one on files, too', async () => {
  expect(await check(word('edit', 'result'), 'bad')).toHaveLength(1)
})

test('rules about the act of writing, about paths and other surfaces are no rules about files', async () => {
  const rules = [
    "  - { name: generated, on: write, files: '**', message: no }",
    '  - { name: path, on: write, when: { regex: { pattern: a, on: path } }, message: no }',
    '  - { name: shell, on: shell, when: { regex: bad }, message: no }',
    '  - { name: off, on: write, enabled: false, when: { regex: bad }, message: no }',
  ]
  expect(await check(rules.join('\n'), 'bad')).toEqual([])
})

test('what must stand there and does not is about the whole file', async () => {
  const header = "  - { name: header, on: write, files: 'src/**', when: { not: { regex: '^// ' } }, message: no }"
  expect(await check(header, 'a\n')).toMatchObject([{ line: 1, column: 1, text: 'a' }])
  expect(await check(header, '// a\n')).toEqual([])
  expect(await check(header, 'a\n', 'docs/a.md')).toEqual([])
})
