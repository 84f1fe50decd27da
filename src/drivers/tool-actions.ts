import type { Action, McpTool, ToolActions } from '../contract/action.ts'
import { isObject, textOf } from '../util/ndjson.ts'
import type { ShellTool } from './contract.ts'
import { diffActions, patchActions } from './patch.ts'

type Input = Record<string, unknown>

/** What a tool of one name does with an input. */
export type ToolReader = (input: Input) => ToolActions

const notAtAll = (): null => null

const of = (actions: readonly Action[], rewritten: ToolActions['rewritten'] = notAtAll): ToolActions => ({
  actions,
  rewritten,
})

const unreadable = (why: string): ToolActions => of([{ kind: 'unreadable', why }])

/** Runs the text of this field in a shell, or types it into one. */
export const runs =
  (field: string, cwd: string | null = null): ToolReader =>
  (input) =>
    of(
      [{ kind: 'shell', command: textOf(input[field]) ?? '', cwd: cwd === null ? null : textOf(input[cwd]) }],
      (text) => ({
        ...input,
        [field]: text,
      }),
    )

export const writes =
  (path: string, content: string): ToolReader =>
  (input) => {
    const [file, text] = [textOf(input[path]), textOf(input[content]) ?? '']
    if (file === null) return unreadable(`no ${path}`)
    return of([{ kind: 'write', path: file, content: text }], (next) => ({ ...input, [content]: next }))
  }

/** By which names an edit is given. */
export interface EditFields {
  old: string
  new: string
  everywhere?: string
}

const replacementIn = (input: Input, fields: EditFields) => ({
  old: textOf(input[fields.old]) ?? '',
  new: textOf(input[fields.new]) ?? '',
  isEverywhere: fields.everywhere !== undefined && input[fields.everywhere] === true,
})

export const edits =
  (path: string, fields: EditFields): ToolReader =>
  (input) => {
    const file = textOf(input[path])
    if (file === null) return unreadable(`no ${path}`)
    const replacements = [replacementIn(input, fields)]
    return of([{ kind: 'edit', path: file, replacements }], (text) => ({ ...input, [fields.new]: text }))
  }

/** Several edits of one file, in the list of this name. */
export const editsMany =
  (path: string, list: string, fields: EditFields): ToolReader =>
  (input) => {
    const [file, all] = [textOf(input[path]), input[list]]
    if (file === null || !Array.isArray(all) || !all.every(isObject)) return unreadable(`no ${path} or ${list}`)
    const replacements = all.map((one) => replacementIn(one, fields))
    return of([{ kind: 'edit', path: file, replacements }])
  }

/** The patch is in the first of these fields that is there. */
export const patches =
  (...fields: string[]): ToolReader =>
  (input) =>
    of(patchActions(textOf(fields.map((field) => input[field]).find((value) => value !== undefined)) ?? ''))

/** One file, and its diff, which may not be told. */
export const diffs =
  (path: string, diff: string): ToolReader =>
  (input) => {
    const [file, text] = [textOf(input[path]), textOf(input[diff])]
    if (file === null) return unreadable(`no ${path}`)
    return of(text === null ? [{ kind: 'edit', path: file, replacements: [] }] : diffActions(file, text))
  }

/** One tool, or a question about it, in several forms: whatever of them is there is done. */
export const eitherOf =
  (...readers: ToolReader[]): ToolReader =>
  (input) => {
    const told = readers.map((reader) => reader(input)).filter(({ actions }) => actions.length > 0)
    const readable = told.filter(({ actions }) => actions.every(({ kind }) => kind !== 'unreadable'))
    const [only, ...others] = readable.length === 0 ? told.slice(0, 1) : readable
    if (only !== undefined && others.length === 0) return only
    return of(readable.flatMap(({ actions }) => actions))
  }

/** Each of these fields that is there has a path or a list of them; without any it is the directory that it works in. */
export const reads =
  (...fields: string[]): ToolReader =>
  (input) => {
    const given = fields.flatMap((field) => input[field]).filter((value) => typeof value === 'string')
    return of((given.length > 0 ? given : ['.']).map((path) => ({ kind: 'read', path })))
  }

export const fetches =
  (field: string): ToolReader =>
  (input) =>
    of([{ kind: 'fetch', url: textOf(input[field]) ?? '' }], (text) => ({ ...input, [field]: text }))

export const addresses = /\bhttps?:\/\/[^\s<>"'`]+/gi

/** The addresses stand in a text. */
export const fetchesFrom =
  (field: string): ToolReader =>
  (input) => {
    const said = textOf(input[field]) ?? ''
    const urls = Array.from(said.matchAll(addresses), ([url]) => url.replace(/[).,;:!?\]]+$/, ''))
    const [only = '', ...others] = new Set(urls)
    const rewritten = (text: string): Input | null =>
      only === '' || others.length > 0 ? null : { ...input, [field]: said.replaceAll(only, () => text) }
    return of(
      urls.map((url) => ({ kind: 'fetch', url })),
      rewritten,
    )
  }

/** All that the name of a tool may mean as one of an MCP server, the likeliest first; none for a tool of the CLI itself. */
export type McpName = (name: string) => McpTool[]

/** `<prefix><server><between><tool>`: either name may have `between` in it. */
export const mcpNamed =
  (prefix: string, between: string): McpName =>
  (name) => {
    if (!name.startsWith(prefix)) return []
    const words = name.slice(prefix.length).split(between)
    const cuts = words.slice(1).map((_, index) => ({
      server: words.slice(0, index + 1).join(between),
      tool: words.slice(index + 1).join(between),
    }))
    return cuts.filter(({ server, tool }) => server !== '' && tool !== '')
  }

const mcpAction = ([only, ...others]: readonly McpTool[]): Action[] => {
  if (only === undefined) return []
  return [{ kind: 'mcp', ...only, ...(others.length === 0 ? {} : { readings: [only, ...others] }) }]
}

/** How a driver reads tool calls: its own tools by name, its shell, and whatever is left as MCP. */
export const actionsBy =
  (shell: ShellTool, tools: Readonly<Record<string, ToolReader>>, mcp: McpName = () => []) =>
  (name: string, input: Input): ToolActions => {
    const own = Object.hasOwn(tools, name) ? tools[name] : undefined
    if (own !== undefined) return own(input)
    const call = shell.call(name, input)
    if (call !== null) return of([{ kind: 'shell', ...call }], (text) => ({ ...input, command: text }))
    return of(mcpAction(mcp(name)))
  }
