import type { Action, McpTool, ToolActions } from '../contract/action.ts'
import { isObject, textOf } from '../base/util/json.ts'
import type { ShellTool } from './contract.ts'
import type { Json } from './json.ts'
import { diffActions, patchActions } from './patch.ts'
import type { McpNaming, ToolKind, ToolKinds, ToolTable } from './tool-kinds.ts'

/** What a tool of one name does, and what it does with an input. */
export interface ToolReader {
  kind: ToolKind
  read: (input: Json) => ToolActions
}

const of = (actions: readonly Action[], rewritten: ToolActions['rewritten'] = () => null): ToolActions => ({
  actions,
  rewritten,
})

const unreadable = (why: string): ToolActions => of([{ kind: 'unreadable', why }])

/** Runs the text of this field in a shell, or types it into one. */
export const runs = (field: string, cwd: string | null = null): ToolReader => ({
  kind: 'shell',
  read: (input) =>
    of(
      [{ kind: 'shell', command: textOf(input[field]) ?? '', cwd: cwd === null ? null : textOf(input[cwd]) }],
      (text) => ({ ...input, [field]: text }),
    ),
})

/** The same, where nothing to type means to wait. */
export const polls = (field: string): ToolReader => ({ ...runs(field), kind: 'poll' })

export const writes = (path: string, content: string): ToolReader => ({
  kind: 'change',
  read: (input) => {
    const [file, text] = [textOf(input[path]), textOf(input[content]) ?? '']
    if (file === null) return unreadable(`no ${path}`)
    return of([{ kind: 'write', path: file, content: text }], (next) => ({ ...input, [content]: next }))
  },
})

/** By which names an edit is given. */
interface EditFields {
  old: string
  new: string
  everywhere?: string
}

const readReplacement = (input: Json, fields: EditFields) => ({
  old: textOf(input[fields.old]) ?? '',
  new: textOf(input[fields.new]) ?? '',
  isEverywhere: fields.everywhere !== undefined && input[fields.everywhere] === true,
})

export const edits = (path: string, fields: EditFields): ToolReader => ({
  kind: 'change',
  read: (input) => {
    const file = textOf(input[path])
    if (file === null) return unreadable(`no ${path}`)
    const replacements = [readReplacement(input, fields)]
    return of([{ kind: 'edit', path: file, replacements }], (text) => ({ ...input, [fields.new]: text }))
  },
})

/** Several edits of one file, in the list of this name. */
export const editsMany = (path: string, list: string, fields: EditFields): ToolReader => ({
  kind: 'change',
  read: (input) => {
    const [file, all] = [textOf(input[path]), input[list]]
    if (file === null || !Array.isArray(all) || !all.every(isObject)) return unreadable(`no ${path} or ${list}`)
    const replacements = all.map((one) => readReplacement(one, fields))
    return of([{ kind: 'edit', path: file, replacements }])
  },
})

/** The patch is in the first of these fields that is there. */
export const patches = (...fields: string[]): ToolReader => ({
  kind: 'change',
  read: (input) =>
    of(patchActions(textOf(fields.map((field) => input[field]).find((value) => value !== undefined)) ?? '')),
})

/** One file and its diff, if the CLI shows one. */
export const diffs = (path: string, diff: string): ToolReader => ({
  kind: 'change',
  read: (input) => {
    const [file, text] = [textOf(input[path]), textOf(input[diff])]
    if (file === null) return unreadable(`no ${path}`)
    return of(text === null ? [{ kind: 'edit', path: file, replacements: [] }] : diffActions(file, text))
  },
})

/** One tool, or a question about it, in several forms: whatever of them is there is done. */
export const eitherOf = (first: ToolReader, ...others: ToolReader[]): ToolReader => ({
  kind: first.kind,
  read: (input) => {
    const told = [first, ...others].map(({ read }) => read(input)).filter(({ actions }) => actions.length > 0)
    const readable = told.filter(({ actions }) => actions.every(({ kind }) => kind !== 'unreadable'))
    const [only, ...more] = readable.length === 0 ? told.slice(0, 1) : readable
    if (only !== undefined && more.length === 0) return only
    return of(readable.flatMap(({ actions }) => actions))
  },
})

/** Each of these fields that is there has a path or a list of them; without any it is the directory that it works in. */
export const reads = (...fields: string[]): ToolReader => ({
  kind: 'read',
  read: (input) => {
    const given = fields.flatMap((field) => input[field]).filter((value) => typeof value === 'string')
    return of((given.length > 0 ? given : ['.']).map((path) => ({ kind: 'read', path })))
  },
})

export const fetches = (field: string): ToolReader => ({
  kind: 'fetch',
  read: (input) => of([{ kind: 'fetch', url: textOf(input[field]) ?? '' }], (text) => ({ ...input, [field]: text })),
})

const addresses = /\bhttps?:\/\/[^\s<>"'`]+/gi

/** The addresses are part of a text. */
export const fetchesFrom = (field: string): ToolReader => ({
  kind: 'fetch',
  read: (input) => {
    const said = textOf(input[field]) ?? ''
    // What a sentence puts after it is not part of an address.
    const urls = Array.from(said.matchAll(addresses), ([url]) => {
      let end = url.length
      while (end > 0 && ').,;:!?]'.includes(url.charAt(end - 1))) end -= 1
      return url.slice(0, end)
    })
    const [only = '', ...others] = new Set(urls)
    const rewritten = (text: string): Json | null =>
      only === '' || others.length > 0 ? null : { ...input, [field]: said.replaceAll(only, () => text) }
    return of(
      urls.map((url) => ({ kind: 'fetch', url })),
      rewritten,
    )
  },
})

/** Of a name; no CLI lets one be that long. */
const mostWords = 64

/** All that the name of a tool may mean as one of an MCP server, the likeliest first; none for a tool of the CLI itself. */
const readMcpName = ({ prefix, between }: McpNaming, name: string): McpTool[] => {
  if (!name.startsWith(prefix)) return []
  const words = name.slice(prefix.length).split(between, mostWords)
  const cuts = words.slice(1).map((_, index) => ({
    server: words.slice(0, index + 1).join(between),
    tool: words.slice(index + 1).join(between),
  }))
  return cuts.filter(({ server, tool }) => server !== '' && tool !== '')
}

/** Tools by name: how their calls are read, or the kind alone where the shell reads them, or rules look at nothing of them. */
type Known = Readonly<Record<string, ToolReader | ToolKind>>

/** What a driver writes down about its tools, in the terms of `ToolTable`. */
interface ToolList {
  own: Known
  told?: Known
  mcp: McpNaming | null
}

interface ToolReading {
  tools: ToolTable
  actions: (name: string, input: Json) => ToolActions
}

const kindsIn = (known: Known): ToolKinds =>
  Object.fromEntries(Object.entries(known).map(([name, one]) => [name, typeof one === 'string' ? one : one.kind]))

/** How a driver reads tool calls: its own tools by name, its shell, and whatever is left as MCP. */
export const readTools = (shell: ShellTool, { own, told = {}, mcp }: ToolList): ToolReading => {
  const known: Known = { ...told, ...own }
  const actions = (name: string, input: Json): ToolActions => {
    const reader = Object.hasOwn(known, name) ? known[name] : undefined
    if (typeof reader === 'object') return reader.read(input)
    const call = shell.call(name, input)
    if (call !== null) return of([{ kind: 'shell', ...call }], (text) => ({ ...input, command: text }))
    const readings = mcp === null ? [] : readMcpName(mcp, name)
    const [likeliest, ...others] = readings
    if (likeliest === undefined) return of([])
    return of([{ kind: 'mcp', ...likeliest, ...(others.length === 0 ? {} : { readings }) }])
  }
  return { tools: { own: kindsIn(own), told: kindsIn(told), mcp }, actions }
}
