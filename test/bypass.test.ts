import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadRules } from '../src/features/rules/load.ts'
import type { RuleSet, RuleSource } from '../src/features/rules/types.ts'
import { forbidden, harmless } from './support/bypass-corpus.ts'
import { builtIn, judgeShell } from './support/judge-shell.ts'
import { usualEntries } from './support/rules-world.ts'

const PLACES = { cwd: '/home/ada/app', root: '/home/ada/app', home: '/home/ada' }
const PACK = path.join(import.meta.dirname, '../src/features/rules/packs/safe-shell.yaml')
const DOC = path.join(import.meta.dirname, '../docs/rules-bypass.md')
const REFERENCE = path.join(import.meta.dirname, '../docs/rules.md')

let set: RuleSet
let withBuiltIn: RuleSet
beforeAll(async () => {
  const pack: RuleSource = { origin: 'pack', file: PACK, text: readFileSync(PACK, 'utf8'), isTrusted: true }
  set = await loadRules([pack])
  withBuiltIn = await loadRules([builtIn, pack])
})

/** Blocked, or a person is asked. */
const isStopped = async (line: string): Promise<boolean> =>
  (await judgeShell(set, line, PLACES)).some(({ action }) => action === 'block' || action === 'ask')

const spellings = Object.entries(forbidden).flatMap(([group, lines]) =>
  lines.map((each) => (typeof each === 'string' ? { group, line: each, past: null } : { group, ...each })),
)

describe('safe-shell', () => {
  it('has no problems', () => {
    expect(set.problems).toEqual([])
  })

  it.each(spellings)('$group: $line', async ({ line, past }) => {
    expect(await isStopped(line)).toBe(past === null)
  })

  it.each(harmless.map((line) => ({ line })))('lets pass: $line', async ({ line }) => {
    expect(await judgeShell(withBuiltIn, line, PLACES, usualEntries(PLACES.root))).toEqual([])
  })
})

describe('docs/rules-bypass.md', () => {
  const doc = readFileSync(DOC, 'utf8')
  const past = spellings.filter((each) => each.past !== null)

  it('says how many spellings there are, and how many get past', () => {
    expect(doc).toContain(`**${past.length} of ${spellings.length}** spellings get past`)
    expect(doc).toContain(`**0 of ${harmless.length}** harmless lines`)
    const [all, got, alike] = [spellings.length, past.length, harmless.length]
    const summary = readFileSync(REFERENCE, 'utf8')
    expect(summary).toContain(`Of ${all} spellings of forbidden commands`)
    expect(summary).toContain(`**${got}** get past \`safe-shell\`; of ${alike} harmless lines`)
  })

  it('explains each that gets past', () => {
    for (const { line, past: why } of past) expect(doc).toContain(`| \`${line.replaceAll('|', '\\|')}\` | ${why} |`)
  })
})
