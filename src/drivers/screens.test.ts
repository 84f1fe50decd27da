/** All recorded screens of all CLIs, read by their drivers: a new case is a new folder in test/fixtures/screens. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ScreenReading } from './contract.ts'
import { findDriver } from './registry.ts'

/** What a person sees there. A `view` is anything that takes the keyboard away from the input box and asks nothing. */
interface Expected {
  kind: 'idle' | 'busy' | 'dialog' | 'limited' | 'view'
  name?: string
  draft?: string
  until?: string
  /** The keys that say so. */
  allow?: string[]
  deny?: string[]
}

interface Case {
  cli: string
  path: string
  expected: Expected
  reading: ScreenReading
}

const root = join(import.meta.dirname, '../../test/fixtures/screens')
const now = Date.parse('2026-11-16T05:00:00Z')
const listNames = (...path: string[]): string[] =>
  readdirSync(join(root, ...path))
    .filter((name) => !name.endsWith('.md'))
    .toSorted()

const caseOf = (cli: string, version: string, name: string): Case => {
  const file = (one: string): string => readFileSync(join(root, cli, version, name, one), 'utf8')
  const reading = findDriver(cli).terminal.read(file('screen.txt'), now)
  return { cli, path: `${cli}/${version}/${name}`, expected: JSON.parse(file('expected.json')) as Expected, reading }
}

const clis = listNames()
const cases = clis.flatMap((cli) =>
  listNames(cli).flatMap((version) => listNames(cli, version).map((name) => caseOf(cli, version, name))),
)

/** Screens that are honestly not understood, though they are one of the kinds: they may not become more unnoticed. */
const mostUnknown: Record<string, number> = { claude: 2, codex: 16, copilot: 0, gemini: 0, opencode: 0 }

const isUnknown = ({ reading, expected }: Case): boolean => reading.kind === 'unknown' && expected.kind !== 'view'
const pathsOf = (some: readonly Case[]): string[] => some.map(({ path }) => path)

test('every CLI has screens', () => {
  expect(clis).toEqual(Object.keys(mostUnknown))
})

test('nothing else is read as idle', () => {
  expect(pathsOf(cases.filter(({ reading, expected }) => reading.kind === 'idle' && expected.kind !== 'idle'))).toEqual(
    [],
  )
})

test('no dialog is taken for its absence', () => {
  const isMissed = ({ reading, expected }: Case): boolean =>
    ['dialog', 'limited'].includes(expected.kind) && ['idle', 'busy'].includes(reading.kind)
  expect(pathsOf(cases.filter(isMissed))).toEqual([])
})

test.each(clis)('%s: what is not understood is counted', (cli) => {
  const unknown = pathsOf(cases.filter((one) => one.cli === cli && isUnknown(one)))
  expect(unknown.slice(mostUnknown[cli])).toEqual([])
})

describe('what is understood is right', () => {
  test.each(cases.filter(({ reading }) => reading.kind !== 'unknown'))('$path', ({ expected, reading }) => {
    const { kind, name, draft, until } = expected
    const rest = { kind, ...(name === undefined ? {} : { name }), ...(draft === undefined ? {} : { draft }) }
    // A list that a person opened asks nothing; that it is open is all that matters.
    const right = expected.kind === 'view' ? { kind: 'dialog', name: 'unknown dialog' } : rest
    expect(reading).toMatchObject(until === undefined ? right : { ...right, until: Date.parse(until) })
  })
})

describe('what the agent wants shown in a dialog presses no other key', () => {
  const keysFor = ({ reading }: Case, verdict: 'allow' | 'deny'): readonly string[] | undefined =>
    reading.kind === 'dialog' ? reading.options.find(({ means }) => means === verdict)?.keys : undefined

  test.each(cases.filter(({ expected }) => expected.allow !== undefined))('$path', (one) => {
    const { allow, deny } = one.expected
    expect({ allow: keysFor(one, 'allow'), deny: keysFor(one, 'deny') }).toEqual({ allow, deny })
  })
})
