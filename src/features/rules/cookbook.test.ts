import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBlocks } from './match/markdown.ts'
import { loadRules } from './load.ts'
import { runTests } from './testing/run-tests.ts'

const rulesIn = (page: string) =>
  codeBlocks(readFileSync(join(import.meta.dirname, '../../../docs', page), 'utf8'), ['yaml']).map(
    ({ text, line }) => ({
      page,
      line,
      text,
    }),
  )
const recipes = ['rule-cookbook.md', 'rule-cookbook-files.md'].flatMap(rulesIn)

test('there are at least twenty', () => {
  expect(recipes.length).toBeGreaterThanOrEqual(20)
})

test.each([...recipes, ...rulesIn('rules.md'), ...rulesIn('guards.md')])(
  'the rule of line $line of $page passes its tests',
  async ({ text }) => {
    const source = { origin: 'project', file: '/project/.rein/rules/x.yaml', text, isTrusted: true } as const
    const { rules, problems } = await loadRules([source])
    expect(problems).toEqual([])
    expect(await runTests(rules, import.meta.dirname)).toEqual({
      passed: expect.any(Number),
      failures: [],
      untested: [],
    })
  },
)

test('no name stands there twice', async () => {
  const sources = recipes.map(({ text, line }) => ({ origin: 'user', file: `${line}`, text, isTrusted: true }) as const)
  expect((await loadRules(sources)).problems).toEqual([])
})
