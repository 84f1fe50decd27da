import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { findGaps, isQuick, proofFiles, readBullets, readRows, readTestNames } from './support/proof-links.ts'

const ROOT = path.join(import.meta.dirname, '..')
const readPage = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8')

test('each promise of docs/promises.md names the tests that prove it', () => {
  const promises = readBullets(readPage('docs/promises.md'), 'Promises')
  expect(promises.length).toBeGreaterThanOrEqual(5)
  expect(promises.flatMap((promise) => findGaps(promise, 'docs/promises.md', ROOT))).toEqual([])
})

test('each state of a receipt in docs/delivery.md names the tests that prove it', () => {
  const states = readRows(readPage('docs/delivery.md'), 'States')
  const names = states.map(({ text }) => text.split(' | ')[0]?.replace('| ', ''))
  expect(names).toEqual(['queued', 'held', 'offered', 'placed', 'seen', 'acked'])
  expect(states.flatMap((state) => findGaps(state, 'docs/delivery.md', ROOT))).toEqual([])
})

test('each row of docs/threats.md names the tests that prove it, some of them in npm test', () => {
  const rows = readRows(readPage('docs/threats.md'), 'Attackers and defences')
  expect(rows.length).toBeGreaterThanOrEqual(20)
  expect(rows.flatMap((row) => findGaps(row, 'docs/threats.md', ROOT, () => true))).toEqual([])
  const quickOf = new Map<string, string[]>()
  for (const row of rows) {
    const [attacker = ''] = row.text.split(' | ')
    const files = proofFiles(row, 'docs/threats.md').filter(isQuick)
    quickOf.set(attacker, [...(quickOf.get(attacker) ?? []), ...files])
  }
  expect([...quickOf].filter(([, files]) => files.length === 0)).toEqual([])
})

describe('the reading of pages', () => {
  const page = `# Page

## Promises

- Kept. ([proof](test/promises.test.ts "is found"), [proof](test/gone.test.ts "was here"))
- Also kept,
  in two lines. ([proof](test/promises.test.ts "is found"))
- Only said.

Not a promise.

## States

| state | proof |
|---|---|
| one | [proof](../test/promises.test.ts "is found") |
| two | – |

| another table | |
|---|---|
| three | – |
`

  test('finds each bullet of the section, with all of its proofs', () => {
    const bullets = readBullets(page, 'Promises')
    expect(bullets.map(({ proofs }) => proofs.map(({ target }) => target))).toEqual([
      ['test/promises.test.ts', 'test/gone.test.ts'],
      ['test/promises.test.ts'],
      [],
    ])
    expect(bullets[1]?.text).toContain('in two lines.')
  })

  test('finds each row of the first table of the section', () => {
    expect(readRows(page, 'States').map(({ proofs }) => proofs.map(({ test: name }) => name))).toEqual([
      ['is found'],
      [],
    ])
  })
})

describe('a gap', () => {
  const gapsOf = (bullet: string, page = 'README.md'): string[] =>
    readBullets(`## Promises\n\n- ${bullet}\n`, 'Promises').flatMap((claim) => findGaps(claim, page, ROOT))
  const existing = 'each promise of docs/promises.md names the tests that prove it'

  test('is none where the test exists, also seen from docs/', () => {
    expect(gapsOf(`Kept. ([proof](test/promises.test.ts "${existing}"))`)).toEqual([])
    expect(gapsOf(`Kept. ([proof](../test/promises.test.ts "${existing}"))`, 'docs/delivery.md')).toEqual([])
  })

  test.each([
    ['a claim without a proof', 'Only said.', 'no proof: - Only said.'],
    ['a link to something else', 'See [there](docs/delivery.md).', 'no proof: - See [there](docs/delivery.md).'],
    ['a file that does not exist', '[proof](test/gone.test.ts "x")', 'no such file: test/gone.test.ts'],
    [
      'a file that only the full suite runs',
      '[proof](test/e2e/delivery.test.ts "three tools in parallel show it once")',
      'not run by npm test: test/e2e/delivery.test.ts',
    ],
    [
      'a test that does not exist',
      '[proof](test/promises.test.ts "each promise")',
      'no such test in test/promises.test.ts: "each promise"',
    ],
    ['a link that names no test', '[proof](test/promises.test.ts)', 'no such test in test/promises.test.ts: ""'],
    [
      'one proof of two',
      `[proof](test/promises.test.ts "${existing}"), [proof](test/gone.test.ts "x")`,
      'no such file: test/gone.test.ts',
    ],
  ])('is %s', (_, bullet, gap) => {
    expect(gapsOf(bullet)).toEqual([gap])
  })
})

test('names of tests are read however they are written, but not those of tests that do not run', () => {
  const source = `
import { describe, it, test } from 'vitest'
// test('in a comment', () => {})
const text = "test('in a string', () => {})"
describe('a group', () => {
  test('it\\'s "quoted"', () => {})
  it(\`in a template\`, () => {})
  test(\`with a \${text}\`, () => {})
})
test.each([1])('%i of a list', () => {})
it.each(cases.map((one) => test('inside', one)))('$name of an object', { timeout: 1 }, () => {})
test.each\`a\`('$a of a table', () => {})
test.concurrent.each([1])('at once', () => {})
test.skip('left out', () => {})
test.skipIf(text)('perhaps left out', () => {})
test.todo('to be written')
regex.test('no test at all')
`
  expect(readTestNames(source).toSorted()).toEqual(
    [
      '%i of a list',
      '$a of a table',
      '$name of an object',
      'at once',
      'in a template',
      'inside',
      'it\'s "quoted"',
    ].toSorted(),
  )
})
