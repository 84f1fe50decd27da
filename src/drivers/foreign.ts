import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'jsonc-parser'
import { isObject } from '../util/ndjson.ts'
import { sharedGit, workTree } from '../util/work-tree.ts'
import type { ForeignItem, ForeignPlace } from './contract.ts'
import { isManagedCommand } from './deployed.ts'

type Json = Record<string, unknown>

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
  // Anybody can write that they belong to a repository; a real work tree is known there, too.
  const isKnown = realPath(contentOf(join(tree.git, 'gitdir'))?.trim() ?? '') === realPath(join(tree.root, '.git'))
  return isKnown ? dirname(sharedGit(tree.git)) : tree.root
}

const realPath = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** What stands in a file; null where there is none that can be read. */
export const contentOf = (file: string): string | null => {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8').replace(/^\uFEFF/, '') : null
  } catch {
    return null
  }
}

/** A JSON file that may have comments; empty where there is none that can be read. */
export const jsonIn = (file: string): Json => {
  const value: unknown = parse(contentOf(file) ?? '{}', [], { allowTrailingComma: true })
  return isObject(value) ? value : {}
}

/** The files of a directory whose names fit, with their paths. */
export const filesIn = (directory: string, pattern: RegExp): string[] => {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => pattern.test(name))
      .toSorted()
      .map((name) => join(directory, name))
  } catch {
    return []
  }
}

export const objectIn = (value: unknown): Json => (isObject(value) ? value : {})

/** Each event with the commands that are run at it, in the form that most CLIs share. */
export const hookItems = (file: string, hooks: unknown, { own }: ForeignPlace): ForeignItem[] =>
  Object.entries(objectIn(hooks)).flatMap(([event, entries]) =>
    leaves(entries)
      .filter((command) => !isManagedCommand(command, own.hooks))
      .map((command) => ({ file, what: `hook ${event}`, command })),
  )

/** What each entry runs or calls: a command, an address or a prompt, however deep it stands. */
const leaves = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(leaves)
  if (!isObject(value)) return []
  const said = ['command', 'bash', 'powershell', 'url', 'prompt'].flatMap((key) => lineOf(value[key]))
  const [first] = said
  return [...(first === undefined ? [] : [[first, ...lineOf(value['args'])].join(' ')]), ...leaves(value['hooks'])]
}

const lineOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) && value.length > 0 ? [value.map(String).join(' ')] : []
}

/** Servers by their names, each with its command line or address; Rein's own is nobody else's. */
export const serverItems = (file: string, servers: unknown, { own }: ForeignPlace): ForeignItem[] =>
  Object.entries(objectIn(servers)).flatMap(([name, server]) => {
    const { command, args, url, httpUrl, env, headers } = objectIn(server)
    const line = [...lineOf(command), ...lineOf(args)].join(' ')
    if (line === 'rein mcp' || line === `${own.rein} mcp`) return []
    const more = [env, headers].flatMap((each) =>
      Object.entries(objectIn(each)).map(([key, value]) => `${key}=${String(value)}`),
    )
    const said = [line, ...lineOf(url), ...lineOf(httpUrl), ...more].filter((part) => part !== '')
    return [{ file, what: `MCP server ${name}`, command: said.join(' ') }]
  })

export const variableItems = (file: string, env: unknown, isSafe = (_name: string): boolean => false): ForeignItem[] =>
  Object.entries(objectIn(env))
    .filter(([name]) => !isSafe(name))
    .map(([name, value]) => ({ file, what: `variable ${name}`, command: String(value) }))

/** A setting that is there, in its own words. */
export const settingItem = (file: string, what: string, value: unknown): ForeignItem[] =>
  value === undefined || value === null
    ? []
    : [{ file, what, command: typeof value === 'string' ? value : JSON.stringify(value) }]

/** Code that a CLI loads: known by its content. */
export const codeItem = (file: string, what: string): ForeignItem => ({
  file,
  what,
  command: `sha256 ${createHash('sha256')
    .update(contentOf(file) ?? 'unreadable')
    .digest('hex')}`,
})

/** Texts whose head names hooks or servers: a CLI starts those when the text is used. */
export const headedItems = (directory: string): ForeignItem[] =>
  filesIn(directory, /\.md$/i).flatMap((file) => {
    const head = /^---\r?\n([^]*?)\r?\n---/.exec(contentOf(file) ?? '')?.[1] ?? ''
    const parts = head.split(/\n(?=\S)/).filter((part) => /^(hooks|mcpServers|mcp-servers) *:/.test(part))
    return parts.map((part) => ({ file, what: 'hooks or servers in its head', command: part.replace(/\s+/g, ' ') }))
  })
