import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { drivers } from '../src/drivers/registry.ts'
import { parseSource, reach, readSources, SRC, type Source } from './support/source-graph.ts'

const MAX_FILE_LINES = 500
const MAX_FUNCTION_LINES = 80
/** Files that may be longer, or hold a longer function, each with the reason. */
const TOO_LONG_WITH_REASON: Record<string, string> = {}

const NOTHING = 'nothing'
const EVERYBODY_MAY_IMPORT = ['contract', 'base/util']
/** Folders that hold units, each of which has a row of its own. */
const GROUPS = ['base', 'features']

const sources = readSources()
const production = sources.filter((source) => !source.file.endsWith('.test.ts'))

const relative = (file: string): string => path.relative(SRC, file)
const inUnit = (unit: string): Source[] => production.filter((source) => unitOf(source.file) === unit)
const names = (cell: string): string[] => cell.match(/[a-z]+(\/[a-z*]+)*/g) ?? []

const section =
  readFileSync(path.join(SRC, '../docs/architecture.md'), 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith('Folders')) ?? ''

/** The rows of the table under "## Folders": who may import whom. */
const rows = [...section.matchAll(/^\| (`[a-z/]+\/`) \|.*\| ([^|]+) \|$/gm)].map(([, unit = '', allowed = '']) => ({
  unit: names(unit).join(),
  allowed: names(allowed),
}))
/** `base/*` is each unit below `base/`. */
const expand = (name: string): string[] =>
  name.endsWith('/*') ? rows.flatMap(({ unit }) => (unit.startsWith(name.slice(0, -1)) ? [unit] : [])) : [name]
const table = new Map(rows.map(({ unit, allowed }) => [unit, allowed.flatMap(expand)]))
const longestFirst = [...table.keys()].toSorted((a, b) => b.length - a.length)

/** The longest row that a file is below. A file that is below none is a unit by itself, which may import nothing. */
function unitOf(file: string): string {
  const name = relative(file)
  return longestFirst.find((unit) => name.startsWith(`${unit}/`)) ?? name
}

/** What must have a row: each folder of src/, and of a group each folder in it. */
const folders = new Set(
  production.map(({ file }) => {
    const [top = '', next = '', below] = relative(file).split(path.sep)
    return GROUPS.includes(top) && below !== undefined ? `${top}/${next}` : top
  }),
)

function mayImport(from: string, to: string): boolean {
  const allowed = table.get(from) ?? [NOTHING]
  if (from === to || allowed.includes(to)) return true
  return EVERYBODY_MAY_IMPORT.includes(to) && !allowed.includes(NOTHING)
}

const importedUnits = (source: Source): string[] =>
  source.imports.filter(({ target }) => path.isAbsolute(target)).map(({ target }) => unitOf(target))

const forbiddenImports = (source: Source): string[] =>
  source.imports
    .filter(({ target }) => path.isAbsolute(target) && !mayImport(unitOf(source.file), unitOf(target)))
    .map(({ target }) => `${relative(source.file)} imports ${relative(target)}`)

/** `a, b ← c` in the text of the section: c may import a and b, neither of them c. */
const layers = (/^Direction: `([^`]+)`/m.exec(section)?.[1] ?? '').split('←').map(names)
const layerOf = (unit: string): number => layers.findIndex((groups) => groups.includes(unit.split('/')[0] ?? ''))
const isUpwards = (from: string, to: string): boolean => layerOf(from) >= 0 && layerOf(to) > layerOf(from)

describe('folders', () => {
  test('docs/architecture.md lists the folders of src/', () => {
    expect(
      [...folders].filter((folder) => !table.has(folder)),
      'each has a row in "Folders"',
    ).toEqual([])
    expect([...table.keys()].filter((unit) => inUnit(unit).length === 0)).toEqual([])
  })

  test('a folder imports only what the table allows', () => {
    expect(production.flatMap(forbiddenImports)).toEqual([])
  })

  test('the table allows nothing that nobody imports', () => {
    const unused = rows.flatMap(({ unit, allowed }) => {
      const used = new Set(inUnit(unit).flatMap(importedUnits))
      const isUnused = (name: string): boolean => name !== NOTHING && !expand(name).some((each) => used.has(each))
      return allowed.filter(isUnused).map((name) => `${unit} → ${name}`)
    })
    expect(unused).toEqual([])
  })

  test('the table allows imports in one direction', () => {
    expect(layers.flat()).toEqual(['contract', 'base', 'drivers', 'agents', 'features', 'daemon'])
    const upwards = [...table].flatMap(([unit, allowed]) =>
      allowed.filter((name) => isUpwards(unit, name)).map((name) => `${unit} → ${name}`),
    )
    expect(upwards).toEqual([])
  })

  test('contract/ runs in a browser: it reaches no module of Node', () => {
    const reached = reach(sources, inUnit('contract'), ['value', 'lazy'])
    expect([...reached].filter((target) => target.startsWith('node:'))).toEqual([])
  })

  test('web/ runs in a browser: it reaches no module of Node and no schema', () => {
    const reached = [...reach(sources, inUnit('web'), ['value', 'lazy'])]
    const packages = reached.filter((target) => !path.isAbsolute(target))
    expect(packages.toSorted()).toEqual(['@preact/signals', 'preact', 'preact/hooks', 'uuid'])
  })

  test('cli/ starts without the heavy packages', () => {
    const reached = reach(sources, inUnit('cli'), ['value'])
    const heavy = ['zod', 'hono', '@hono/node-server', 'pino', '@photostructure/sqlite']
    expect([...reached].filter((target) => heavy.some((name) => `${target}/`.startsWith(`${name}/`)))).toEqual([])
  })

  test('the daemon starts without the packages of MCP', () => {
    const reached = reach(sources, inUnit('daemon'), ['value'])
    expect([...reached].filter((target) => target.startsWith('@modelcontextprotocol/'))).toEqual([])
  })

  test('the scripted model is no part of the daemon', () => {
    const reached = reach(sources, inUnit('daemon'), ['value', 'lazy'])
    expect([...reached].filter((target) => path.isAbsolute(target) && unitOf(target) === 'sim')).toEqual([])
  })
})

describe('drivers', () => {
  /** One or two may be an example, or mean something else. */
  const MOST_NAMES = 2
  const all = drivers.flatMap(({ tools }) => Object.keys({ ...tools.told, ...tools.own }))
  /** Other names are words that anybody may use. */
  const telling = [...new Set(all.filter((name) => /_|[a-z][A-Z]/.test(name)))]
  const namedIn = (text: string): string[] => telling.filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(text))

  test('only they list the tools of CLIs; the scripted model plays all CLIs', () => {
    const lists = production
      .filter(({ file }) => !['drivers', 'sim'].includes(unitOf(file)))
      .map(({ file, text }) => ({ file: relative(file), names: namedIn(text) }))
      .filter(({ names: found }) => found.length > MOST_NAMES)
    expect(lists).toEqual([])
  })

  test('a list would be found', () => {
    expect(namedIn('/^(bashoutput|read_bash|write_stdin|wait)$/i')).toEqual(['BashOutput', 'write_stdin', 'read_bash'])
  })
})

describe('files', () => {
  const isAllowed = (source: Source): boolean => relative(source.file) in TOO_LONG_WITH_REASON

  test(`no file is longer than ${MAX_FILE_LINES} lines`, () => {
    const tooLong = sources.filter((source) => source.text.split('\n').length > MAX_FILE_LINES && !isAllowed(source))
    expect(tooLong.map((source) => relative(source.file))).toEqual([])
  })

  test(`no function is longer than ${MAX_FUNCTION_LINES} lines`, () => {
    const tooLong = production
      .filter((source) => !isAllowed(source))
      .flatMap(({ file, functions }) => functions.map((each) => ({ file, ...each })))
      .filter(({ lines }) => lines > MAX_FUNCTION_LINES)
    expect(tooLong.map(({ file, line, lines }) => `${relative(file)}:${line} has ${lines} lines`)).toEqual([])
  })

  test('SQL is in base/store/ and in the store.ts of a folder', () => {
    const SQL = /\b(insert\s+(or\s+\w+\s+)?into|delete\s+from|create\s+(unique\s+)?(table|index)|update\s+\w+\s+set)\b/i
    const QUERY = /^\s*(select\b.+\bfrom\b|pragma\s)/is
    const misplaced = production
      .filter(({ file }) => unitOf(file) !== 'base/store' && path.basename(file) !== 'store.ts')
      .filter(({ strings }) => strings.some((text) => SQL.test(text) || QUERY.test(text)))
    expect(misplaced.map((source) => relative(source.file))).toEqual([])
  })

  test('no check is switched off by a comment', () => {
    const switchedOff = sources.filter(({ text }) =>
      /(oxlint|eslint)-disable|biome-ignore|@ts-(ignore|nocheck)/.test(text),
    )
    expect(switchedOff.map((source) => relative(source.file))).toEqual([])
  })
})

describe('the reading of sources', () => {
  const source = parseSource(
    '/src/a/a.ts',
    `import type { B } from '../b/b.ts'
import { c } from '../c/c.ts'
export type { D } from '../d/d.ts'
export * from 'zod'
const load = () => import('./lazy.ts')
type E = import('../e/e.ts').E
function long(): string {
  return \`SELECT 1
    FROM t\`
}
`,
  )

  test('sees every kind of import', () => {
    expect(source.imports).toEqual([
      { kind: 'type', target: '/src/b/b.ts' },
      { kind: 'value', target: '/src/c/c.ts' },
      { kind: 'type', target: '/src/d/d.ts' },
      { kind: 'value', target: 'zod' },
      { kind: 'lazy', target: '/src/a/lazy.ts' },
      { kind: 'type', target: '/src/e/e.ts' },
    ])
  })

  test('measures functions and finds the text of strings', () => {
    expect(source.functions).toEqual([
      { line: 5, lines: 1 },
      { line: 7, lines: 4 },
    ])
    expect(source.strings).toContain('SELECT 1\n    FROM t')
  })
})
