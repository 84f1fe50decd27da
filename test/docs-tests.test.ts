import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]

/** The test files that a page names, as paths from the root. */
const testsIn = (text: string): string[] => [...text.matchAll(/\btest\/[\w./-]+\.test\.ts\b/g)].map(([path]) => path)

test('a named test is found in a sentence and in a command', () => {
  expect(testsIn('See `test/e2e/a.test.ts`: `npm test -- test/long/c.test.ts -t x`.')).toEqual([
    'test/e2e/a.test.ts',
    'test/long/c.test.ts',
  ])
})

test.each(pages.filter((page) => page.endsWith('.md')))('%s names only tests that exist', (page) => {
  const named = testsIn(readFileSync(join(root, page), 'utf8'))
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
