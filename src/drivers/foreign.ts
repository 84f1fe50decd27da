import { createHash } from 'node:crypto'
import { readdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parse } from 'jsonc-parser'
import { ReinError } from '../contract/errors.ts'
import { isObject } from '../base/util/json.ts'
import { sharedGit, workTree } from '../base/util/work-tree.ts'
import type { ForeignItem, ForeignPlace } from './contract.ts'
import { isManagedCommand } from './deployed.ts'
import { orNull, readText, realPath } from './files.ts'
import { asObject, type Json } from './json.ts'

/** The directory and those above it, up to the top of its work tree; the home is its user's own, and never among them. */
export const directoriesInTree = ({ cwd, env }: ForeignPlace): string[] => {
  const real = realPath(cwd)
  const top = workTree(real)?.root ?? real
  return upwards(real, env).filter((directory) => directory === top || directory.startsWith(`${top}/`))
}

/** The same, as far up as it goes. */
export const directoriesAbove = ({ cwd, env }: ForeignPlace): string[] => upwards(realPath(cwd), env)

const upwards = (directory: string, env: NodeJS.ProcessEnv): string[] => {
  if (directory === realPath(env['HOME'] || homedir())) return []
  const parent = dirname(directory)
  return parent === directory ? [directory] : [directory, ...upwards(parent, env)]
}

/** Where a CLI may have kept that a directory is trusted: it and those above it in its work tree, and the first work tree of its repository. */
export const trustPlaces = (place: ForeignPlace): string[] => {
  const real = realPath(place.cwd)
  return [...new Set([place.cwd, real, ...directoriesInTree(place), firstTree(real)])]
}

/** The first work tree of the repository that a directory belongs to, else its own top, else itself. */
export const firstTree = (directory: string): string => {
  const real = realPath(directory)
  const tree = workTree(real)
  if (tree === null) return real
  const shared = sharedGit(tree.git)
  // A `.git` file can claim any repository; a real work tree is also listed in that repository.
  const isListed = realPath(tree.git).startsWith(join(shared, 'worktrees/'))
  const isKnown = realPath(readText(join(tree.git, 'gitdir'))?.trim() ?? '') === realPath(join(tree.root, '.git'))
  return isListed && isKnown ? dirname(shared) : tree.root
}

/** A JSON file that may have comments; empty where there is none that can be read. */
export const readJson = (file: string): Json => {
  const value: unknown = parse(readText(file) ?? '{}', [], { allowTrailingComma: true })
  return asObject(value)
}

/** More than any project has in the places that are looked at. */
const mostEntries = 20_000

/** The files of a directory whose names fit, with their paths. Links are followed as a CLI does, each place once. */
export const listFiles = (directory: string, pattern: RegExp): string[] => {
  const [found, seen]: [string[], Set<string>] = [[], new Set()]
  let count = 0
  const walk = (place: string): void => {
    const real = orNull(() => realpathSync(place))
    if (real === null || seen.has(real)) return
    seen.add(real)
    for (const name of orNull(() => readdirSync(place)) ?? []) {
      count += 1
      if (count > mostEntries) throw new ReinError('refused', `${directory} has more files than can be looked at.`)
      const path = join(place, name)
      if (orNull(() => statSync(path))?.isDirectory() === true) walk(path)
      else if (pattern.test(relative(directory, path))) found.push(path)
    }
  }
  walk(directory)
  return found.toSorted()
}

/** Each event with what is run at it, in the form that most CLIs share. */
export const hookItems = (file: string, hooks: unknown, { own }: ForeignPlace): ForeignItem[] =>
  Object.entries(asObject(hooks)).flatMap(([event, entries]) =>
    listHandlers(entries)
      .filter((handler) => !isOwnHandler(handler, own.hooks))
      .map(({ type, command, bash, ...others }) => {
        const more = Object.fromEntries(Object.entries(others).filter(([key]) => !harmless.test(key)))
        const words = [...[command, bash].flatMap(lineOf), ...(isEmpty(more) ? [] : [JSON.stringify(more)])]
        return { file, what: `hook ${event}`, command: words.join(' ') || String(type) }
      }),
  )

/** Handlers may be nested in groups. */
const listHandlers = (value: unknown): Json[] => {
  if (Array.isArray(value)) return value.flatMap(listHandlers)
  if (!isObject(value)) return []
  const { hooks, matcher: _, sequential: __, ...handler } = value
  return [...listHandlers(hooks), ...(hooks === undefined || Object.keys(handler).length > 0 ? [handler] : [])]
}

/** Fields of Rein's own handlers beside the command; a handler with any other field is not Rein's. */
const harmless =
  /^(type|name|timeout|timeoutSec|asyncRewake|rewakeSummary|rewakeMessage|onFailure|additionalContextLimit)$/

const isOwnHandler = ({ command, bash, ...others }: Json, hooks: string): boolean => {
  const [line = '', ...more] = [command, bash].filter((one) => one !== undefined)
  const isAlone = more.length === 0 && Object.keys(others).every((key) => harmless.test(key))
  return isAlone && typeof line === 'string' && isManagedCommand(line, hooks)
}

const isEmpty = (value: Json): boolean => Object.keys(value).length === 0

const lineOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) && value.length > 0 ? [value.map(String).join(' ')] : []
}

/** Settings of a server that run nothing and lead nowhere. */
const quiet = /^(type|enabled|tools|timeout|default_tools_approval_mode|alwaysLoad|description)$/

/** Servers by name, each with its command line or address, without Rein's own. */
export const serverItems = (file: string, servers: unknown, { own }: ForeignPlace): ForeignItem[] =>
  Object.entries(asObject(servers)).flatMap(([name, server]) => {
    const { command, args, url, httpUrl, ...others } = asObject(server)
    const line = [command, args, url, httpUrl].flatMap(lineOf).join(' ')
    const more = Object.fromEntries(Object.entries(others).filter(([key]) => !quiet.test(key)))
    if (isEmpty(more) && (line === 'rein mcp' || line === `${own.rein} mcp`)) return []
    return [{ file, what: `MCP server ${name}`, command: isEmpty(more) ? line : `${line} ${JSON.stringify(more)}` }]
  })

export const variableItems = (file: string, env: unknown, isSafe = (_name: string): boolean => false): ForeignItem[] =>
  Object.entries(asObject(env))
    .filter(([name]) => !isSafe(name))
    .map(([name, value]) => ({ file, what: `variable ${name}`, command: String(value) }))

/** A setting with its value, if it is set. */
export const settingItem = (file: string, what: string, value: unknown): ForeignItem[] =>
  value === undefined || value === null
    ? []
    : [{ file, what, command: typeof value === 'string' ? value : JSON.stringify(value) }]

/** Code that a CLI loads: known by its content. */
export const codeItem = (file: string, what: string): ForeignItem => ({
  file,
  what,
  command: `sha256 ${createHash('sha256')
    .update(readText(file) ?? 'unreadable')
    .digest('hex')}`,
})

/** Texts whose head names hooks or servers: a CLI starts those when the text is used. */
export const headedItems = (directory: string): ForeignItem[] =>
  listFiles(directory, /\.md$/i).flatMap((file) => {
    const head = /^---\r?\n([^]*?)\r?\n---/.exec(readText(file) ?? '')?.[1] ?? ''
    const parts = head.split(/\n(?=\S)/).filter((part) => /^(hooks|mcpServers|mcp-servers) *:/.test(part))
    return parts.map((part) => ({ file, what: 'hooks or servers in its head', command: part.replace(/\s+/g, ' ') }))
  })
