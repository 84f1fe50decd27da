import { expect, test } from 'vitest'
import { sourceOf, worldOf, write } from '../../../test/support/rules-world.ts'
import { countTurns } from '../../../test/support/turns.ts'
import { evaluate } from './evaluate.ts'
import { bytesMax, filesMax, queriesMax, rulesMax } from './limits.ts'
import { loadRules } from './load.ts'
import { noMemory } from './memory.ts'
import type { RuleSource } from './types.ts'

const file = (index: number, rules: readonly object[], origin: RuleSource['origin'] = 'project'): RuleSource =>
  sourceOf(JSON.stringify({ version: 1, rules }), { file: `/p/.rein/rules/${index}.yaml`, origin })
const regex = (name: string): object => ({ name, on: 'write', when: { regex: 'x' } })
const query = (name: string, text = '(identifier) @a'): object => ({
  name,
  on: 'write',
  when: { any: [{ tree: { language: 'typescript', query: text } }] },
  message: 'no',
})
const listOf = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index))

const many: [string, RuleSource[], number][] = [
  [`${filesMax} files`, listOf(filesMax + 2, (at) => file(at, [regex(`r${at}`)])), filesMax],
  [
    `${bytesMax / 1024} KiB`,
    listOf(3, (at) => file(at, [{ ...regex(`r${at}`), description: 'y'.repeat(bytesMax / 2 - 500) }])),
    2,
  ],
  [
    `${rulesMax} rules`,
    [
      file(
        0,
        listOf(rulesMax + 5, (at) => regex(`r${at}`)),
      ),
    ],
    rulesMax,
  ],
  [
    `${queriesMax} queries`,
    [
      file(
        0,
        listOf(queriesMax + 5, (at) => query(`r${at}`)),
      ),
    ],
    queriesMax,
  ],
]

test.each(many)(
  'more than %s of a project are not read, and those whom they would bind are told',
  async (what, sources, held) => {
    const { rules, problems } = await loadRules(sources, true)
    expect(rules).toHaveLength(held)
    expect(problems[0]).toMatchObject({ message: expect.stringContaining(`more than ${what}`), isGuard: true })
    const own = sources.map((source) => ({ ...source, origin: 'user' as const }))
    expect((await loadRules(own, true)).problems).toEqual([])
  },
)

test('a query is made when it is first asked; one that is wrong is a doubt then, and a problem where all are made', async () => {
  const source = file(0, [query('right'), query('wrong', '(no_such_node) @a')])
  const set = await loadRules([source], true)
  expect(set.problems).toEqual([])
  const findings = await evaluate(set, [write('/p/a.ts', 'const a = 1')], worldOf(), noMemory)
  expect(findings.map(({ rule, isDoubt }) => [rule.rule.name, isDoubt])).toEqual([
    ['right', false],
    ['wrong', true],
  ])
  expect((await loadRules([source])).problems).toMatchObject([{ message: expect.stringContaining('no_such_node') }])
})

test('while rules are loaded others have their turn', async () => {
  const sources = listOf(8, (at) =>
    file(
      at,
      listOf(60, (index) => regex(`r${at}-${index}`)),
    ),
  )
  const turns = await countTurns(() => loadRules(sources, true))
  expect(turns).toBeGreaterThan(8 * 60)
})
