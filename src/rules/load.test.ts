import { describe, expect, test } from 'vitest'
import { loadRules } from './load.ts'
import type { RuleSource } from './types.ts'

const source = (text: string, file = '/p/.rein/rules/a.yaml'): RuleSource => ({
  origin: 'project',
  file,
  text,
  isTrusted: false,
})

const file = (...rules: string[]): string => `version: 1\nrules:\n${rules.join('')}`

const problemsOf = async (text: string): Promise<string[]> =>
  (await loadRules([source(text)])).problems.map(
    ({ line, column, message, hint }) => `${line}:${column} ${message}${hint === '' ? '' : ` — ${hint}`}`,
  )

describe('rule files', () => {
  test('a rule has its place', async () => {
    const { rules, problems } = await loadRules([source(file('  - name: a\n    on: shell\n'))])
    expect(problems).toEqual([])
    expect(rules.map(({ rule, line }) => [rule.name, rule.action, line])).toEqual([['a', 'block', 3]])
  })

  test('a field that nobody knows is told with what was meant', async () => {
    const text = file('  - name: a\n    on: shell\n    when:\n      shell:\n        program: git\n        flgs: -f\n')
    expect(await problemsOf(text)).toEqual(['8:9 `flgs` is not a field of `shell` — Did you mean `flags`?'])
  })
})
