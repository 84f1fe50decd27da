import type { Application, Command } from '@stricli/core'
import { wrap } from './cells.ts'
import { type CommandPage, findPage, type Parameter } from './command.ts'
import type { CliContext } from './context.ts'
import { type CommandGroup, commandGroups, scriptCommands } from './help-groups.ts'

export type Target = Application<CliContext>['root']
type Routes = Extract<Target, { getAllEntries: unknown }>

const widest = 100
const usualColumns = 80
/** A longer name or flag has its text on the next line. */
const longestLeft = 30

const isRoutes = (target: Target): target is Routes => 'getAllEntries' in target

/** The page of a command or of a group of commands; `route` is how it is typed. */
export const helpPage = (route: readonly string[], target: Target, columns = usualColumns): string => {
  const width = Math.min(columns, widest)
  if (!isRoutes(target)) return commandPage(route, target, width)
  return route.length === 1 ? topPage(target, commandGroups, width) : groupPage(route, target, width)
}

/** All commands, also those for agents and scripts. */
export const allCommandsPage = (root: Target, columns = usualColumns): string =>
  topPage(root as Routes, [...commandGroups, scriptCommands], Math.min(columns, widest))

const topPage = (root: Routes, groups: readonly CommandGroup[], width: number): string => {
  const briefs = new Map(root.getAllEntries().map(({ name, target }) => [kebab(name), target.brief]))
  const sections = groups.flatMap(({ title, commands }) => [
    title,
    ...rows(
      commands.map((name) => [name, briefs.get(name) ?? '']),
      width,
    ),
    '',
  ])
  return page([...wrap(root.brief, width), '', 'Usage: rein COMMAND [ARGUMENT…] [OPTIONS]', '', ...sections, ...topEnd])
}

const topEnd = [
  'rein help COMMAND    how a command is used, with examples',
  'rein help --all      all commands, also those for agents and scripts',
]

const groupPage = (route: readonly string[], routes: Routes, width: number): string => {
  const fallback = routes.getDefaultCommand()
  const usual = fallback === undefined ? undefined : findPage(fallback)
  return page([
    ...wrap(routes.brief, width),
    '',
    `Usage: ${route.join(' ')} COMMAND`,
    ...(usual === undefined ? [] : [`       ${usage(route, usual)}`]),
    ...(routes.fullDescription === undefined ? [] : ['', ...wrap(routes.fullDescription, width)]),
    '',
    'Commands',
    ...rows(
      routes.getAllEntries().map(({ name, target }) => [kebab(name), target.brief]),
      width,
    ),
    '',
    `rein help ${route.slice(1).join(' ')} COMMAND    how one is used, with examples`,
  ])
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines]

const commandPage = (route: readonly string[], command: Command<CliContext>, width: number): string => {
  const found = findPage(command)
  if (found === undefined) return page([command.brief])
  const { brief, more, args, flags, letters, examples, next } = found
  const options = Object.entries(flags).map(([name, flag]): [string, string] => [
    `${letters[name] === undefined ? '    ' : `-${letters[name]}, `}${flagUsage(name, flag)}`,
    flag.brief,
  ])
  return page([
    ...wrap(brief, width),
    '',
    `Usage: ${usage(route, found)}`,
    ...(more === undefined ? [] : ['', ...wrap(more, width)]),
    ...section(
      'Arguments',
      rows(
        args.map((each) => [metavariable(each), each.brief]),
        width,
      ),
    ),
    ...section('Options', rows([...options, ['-h, --help', 'Print this help']], width)),
    ...section(
      'Examples',
      examples.map((line) => `  ${line}`),
    ),
    ...section(
      'Next',
      (next ?? []).map((line) => `  ${line}`),
    ),
    ...(route.length > 2 ? ['', `See also: rein help ${route.slice(1, -1).join(' ')}`] : []),
  ])
}

/** One line: arguments and required flags; the page has the rest. */
export const usage = (route: readonly string[], { args, isList, flags, rest }: CommandPage): string => {
  const words = args.map((each) => {
    const name = `${metavariable(each)}${isList ? '…' : ''}`
    return each.optional || isList ? `[${name}]` : name
  })
  const required = Object.entries(flags).flatMap(([name, flag]) => (flag.optional ? [] : flagUsage(name, flag)))
  return [...route, ...words, ...required, '[OPTIONS]', ...(rest === undefined ? [] : [rest])].join(' ')
}

/** `id or file` → `ID|FILE`. */
export const metavariable = ({ placeholder = '' }: Parameter): string =>
  placeholder.toUpperCase().replaceAll(' OR ', '|')

const flagUsage = (name: string, { placeholder, values, variadic }: Parameter): string => {
  const value = placeholder ?? values?.join('|')
  return `--${kebabName(name)}${value === undefined ? '' : ` ${value}`}${variadic ? '…' : ''}`
}

export const kebabName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const kebab = (name: Readonly<Record<'convert-camel-to-kebab', string>>): string => name['convert-camel-to-kebab']

const rows = (pairs: readonly (readonly [string, string])[], width: number): string[] => {
  const left = Math.min(longestLeft, Math.max(0, ...pairs.map(([name]) => name.length)))
  const indent = ' '.repeat(left + 4)
  return pairs.flatMap(([name, text]) => {
    const [first = '', ...others] = wrap(text, Math.max(20, width - left - 4))
    const head = name.length > left ? [`  ${name}`, `${indent}${first}`] : [`  ${name.padEnd(left)}  ${first}`]
    return [...head, ...others.map((line) => `${indent}${line}`)]
  })
}

const page = (lines: readonly string[]): string => `${lines.join('\n')}\n`

/** Every command by how it is typed, in the order of the pages. */
export const listCommands = (target: Target, route: readonly string[] = ['rein']): [string, Command<CliContext>][] =>
  isRoutes(target)
    ? target.getAllEntries().flatMap((entry) => listCommands(entry.target, [...route, kebab(entry.name)]))
    : [[route.join(' '), target]]

interface Found {
  target: Target
  route: readonly string[]
  /** The first word that names nothing, with the names that there are. */
  unknown?: { word: string; names: string[] }
}

/** What the words of a command line name. */
export const findTarget = (root: Target, words: readonly string[]): Found => {
  let target = root
  const route = ['rein']
  for (const word of words) {
    if (!isRoutes(target)) break
    const camel = word.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const next = target.getRoutingTargetForInput(word) ?? target.getRoutingTargetForInput(camel)
    if (next === undefined) {
      const fallback = target.getDefaultCommand()
      if (fallback !== undefined) return { target: fallback, route }
      const names = target.getAllEntries().flatMap(({ name, aliases }) => [kebab(name), ...aliases])
      return { target, route, unknown: { word, names } }
    }
    target = next
    route.push(word)
  }
  return { target: (isRoutes(target) && target.getDefaultCommand()) || target, route }
}
