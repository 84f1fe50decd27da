import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { app } from '../src/cli/commands.ts'
import { helpPage, listCommands } from '../src/cli/help.ts'
import { predecessors } from '../src/base/config/coming-from.ts'
import { migratingPage } from '../src/base/config/migrating.ts'
import { settings } from '../src/base/config/settings.ts'

const ROOT = path.join(import.meta.dirname, '..')
const DOCS = path.join(ROOT, 'docs')
const LISTS = path.join(import.meta.dirname, 'fixtures/predecessors')

const page = readFileSync(path.join(DOCS, 'migrating.md'), 'utf8')
const tools = ['Nancy', 'ccmux', 'nbs-claude', 'clai', 'nudge'] as const

const kinds = ['commands', 'files', 'variables', 'settings', 'others'] as const
type Names = Record<(typeof kinds)[number], string[]>

const namesOf = (tool: string): Names =>
  JSON.parse(readFileSync(path.join(LISTS, `${tool.toLowerCase()}.json`), 'utf8')) as Names

const sectionOf = (tool: string): string => page.split(/^## /m).find((section) => section.startsWith(`${tool}\n`)) ?? ''

const codeIn = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** A row of a table: what was there, and everything that is said about it. */
const rowsIn = (text: string): { there: string; here: string }[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => ({ there: line.split(' | ')[0] ?? '', here: line.split(' | ').slice(1).join(' | ') }))

describe.each(tools)('%s', (tool) => {
  const names = namesOf(tool)
  const mapped = rowsIn(sectionOf(tool)).flatMap(({ there }) => codeIn(there))

  test.each(kinds)('all its %s are in its section', (kind) => {
    expect(names[kind]).not.toEqual([])
    expect(names[kind].filter((name) => !mapped.includes(name))).toEqual([])
  })

  test('its section has nothing else, and nothing twice', () => {
    const all = kinds.flatMap((kind) => names[kind])
    expect(mapped.filter((name) => !all.includes(name))).toEqual([])
    expect(mapped.filter((name, at) => mapped.indexOf(name) !== at)).toEqual([])
  })

  test('each row says what there is instead', () => {
    const silent = rowsIn(sectionOf(tool)).filter(({ here }) => !/[a-z]/.test(here))
    expect(silent).toEqual([])
  })

  test('the settings that are mapped elsewhere are among its names', () => {
    const known = predecessors.filter((each) => each.tool === tool).map(({ name }) => name)
    expect(known.filter((name) => !mapped.includes(name))).toEqual([])
  })
})

test('its tables of settings are what src/base/config/coming-from.ts generates', () => {
  expect(migratingPage(page)).toBe(page)
})

const help = new Map(listCommands(app.root).map(([route, command]) => [route, helpPage(route.split(' '), command)]))
const routes = [...help.keys()]

/** All that the page says to run: in code, and in blocks without their comments. What was there before is not ours. */
const commandsIn = (text: string): string[] => {
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => block.split(/\n|&&|\$\(/))
  const said = text.replaceAll(/```sh\n.*?```/gs, '')
  const inTables = rowsIn(said).flatMap(({ here }) => codeIn(here))
  const inProse = said.split('\n').filter((line) => !line.startsWith('| '))
  return [...blocks, ...inTables, ...inProse.flatMap(codeIn)]
    .map((command) => (command.replace(/\s#.*$/, '').match(/\brein .*$/)?.[0] ?? '').trim())
    .filter((command) => /^rein [a-z-]/.test(command))
}

/** The words that name a command: those before the first argument, and two at most. */
const namedBy = (command: string): string => /^rein(?: [a-z][a-z-]*(?=[\s)"]|$)){1,2}/.exec(command)?.[0] ?? command

const isGroup = (name: string): boolean => routes.some((route) => route.startsWith(`${name} `))

/** The route that a command takes; a group alone stands for all of its commands. */
const routeOf = (command: string): string | undefined => {
  const named = namedBy(command)
  const [program, first] = named.split(' ')
  if (routes.includes(named) || isGroup(named)) return named
  const outer = `${program} ${first}`
  return routes.includes(outer) ? outer : undefined
}

const flagsIn = (command: string): string[] =>
  [...(command.split(' -- ')[0] ?? '').matchAll(/ (--?[a-z][a-z-]*)/g)].map(([, flag = '']) => flag)

const hasFlag = (route: string, flag: string): boolean =>
  routes
    .filter((each) => each === route || each.startsWith(`${route} `))
    .some((each) => new RegExp(String.raw`(^|[\s[])${flag}(?![\w-])`, 'm').test(help.get(each) ?? ''))

const ofTheProgram = ['rein --help', 'rein --version']
const commands = [...new Set(commandsIn(page))].filter((command) => !ofTheProgram.includes(command))

describe('what the page names exists', () => {
  test('there are commands in it', () => {
    expect(commands.length).toBeGreaterThan(100)
  })

  test('commands', () => {
    expect(commands.filter((command) => routeOf(command) === undefined)).toEqual([])
  })

  test('their flags', () => {
    const unknown = commands.flatMap((command) => {
      const route = routeOf(command)
      if (route === undefined) return []
      return flagsIn(command)
        .filter((flag) => !hasFlag(route, flag))
        .map((flag) => `${command}: ${flag}`)
    })
    expect(unknown).toEqual([])
  })

  test('settings', () => {
    const keys = settings.map(({ key }): string => key)
    const named = rowsIn(page).flatMap(({ here }) => codeIn(here).filter((code) => /^[a-z]+\.[a-z_]+$/.test(code)))
    const files = /\.(?:toml|json|jsonl|rein|pack|sock|md)$/
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((code) => !files.test(code) && !keys.includes(code))).toEqual([])
  })

  test('variables', () => {
    const known = new Set(['src', 'bin'].flatMap((folder) => variablesOf(path.join(ROOT, folder))))
    const named = [...page.matchAll(/\bREIN_[A-Z_]+/g)].map(([name]) => name)
    const isKnown = (name: string): boolean => known.has(name) || settings.some(({ env }) => env === name)
    expect(named.filter((name) => !isKnown(name))).toEqual([])
  })

  test('pages, and places in them', () => {
    const links = [...page.matchAll(/\]\(([\w-]*)(?:\.md)?(?:#([\w-]+))?\)/g)]
    const dead = links.filter(([, file = '', anchor]) => !isPlace(file || 'migrating', anchor)).map(([link]) => link)
    expect(links.length).toBeGreaterThan(20)
    expect(dead).toEqual([])
  })
})

const variablesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .flatMap((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8').match(/\bREIN_[A-Z_]+/g) ?? [])

const isPlace = (file: string, anchor: string | undefined): boolean => {
  const target = path.join(DOCS, `${file}.md`)
  if (!existsSync(target)) return false
  return anchor === undefined || anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
}

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
