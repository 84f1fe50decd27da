/** `key = value` in a TOML text. */
export interface Entry {
  /** With the names of its table. */
  path: string[]
  /** Index of its table, or -1 before the first one. */
  table: number
  keyStart: number
  valueStart: number
  valueEnd: number
}

/** A `[table]` line, or with `isArray` a `[[table]]` line. */
interface Table {
  path: string[]
  isArray: boolean
  headerEnd: number
}

/** Where everything stands, so that one value can be changed and the rest stays as its author wrote it. */
export interface Layout {
  entries: Entry[]
  tables: Table[]
}

const blank = /(?:[\s\uFEFF]|#[^\n]*)*/y
const spaces = /[ \t]*/y
const equals = /[ \t]*=[ \t]*/y
const keyPart = /[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y
const dot = /[ \t]*\.[ \t]*/y
const anyString = /"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y
const bracket = /[[\]{}]/y
const inBrackets = /(?:[^"'#[\]{}]|#[^\n]*)+/y
const bareValue = /[^\s#](?:[^\n\r#]*[^\s#])?/y

/** Reads a text that a TOML parser has accepted. */
export const layoutOf = (text: string): Layout => {
  const layout: Layout = { entries: [], tables: [] }
  let at = after(blank, text, 0)
  while (at < text.length) {
    const end = text[at] === '[' ? readTable(text, at, layout) : readEntry(text, at, layout)
    // Cannot happen in a valid text; an editor must not loop over a text it misreads.
    if (end === at) break
    at = after(blank, text, end)
  }
  return layout
}

const readTable = (text: string, start: number, { tables }: Layout): number => {
  const isArray = text[start + 1] === '['
  const brackets = isArray ? 2 : 1
  const name = readPath(text, after(spaces, text, start + brackets))
  const headerEnd = after(spaces, text, name.end) + brackets
  tables.push({ path: name.path, isArray, headerEnd })
  return headerEnd
}

const readEntry = (text: string, keyStart: number, { entries, tables }: Layout): number => {
  const name = readPath(text, keyStart)
  const valueStart = after(equals, text, name.end)
  const valueEnd = endOfValue(text, valueStart)
  const path = [...(tables.at(-1)?.path ?? []), ...name.path]
  entries.push({ path, table: tables.length - 1, keyStart, valueStart, valueEnd })
  return valueEnd
}

const readPath = (text: string, start: number): { path: string[]; end: number } => {
  const path: string[] = []
  let at = start
  for (;;) {
    const end = after(keyPart, text, at)
    path.push(unquote(text.slice(at, end)))
    const next = after(dot, text, end)
    if (next === end) return { path, end }
    at = next
  }
}

const unquote = (name: string): string => {
  if (!/^["']/.test(name)) return name
  const inner = name.slice(1, -1)
  return name.startsWith("'") ? inner : inner.replace(/\\(.)/g, '$1')
}

const endOfValue = (text: string, start: number): number => {
  const end = after(anyString, text, start)
  if (end > start) return end
  return '[{'.includes(text[start] ?? ' ') ? endOfBrackets(text, start) : after(bareValue, text, start)
}

const endOfBrackets = (text: string, start: number): number => {
  let depth = 0
  let at = start
  do {
    const end = after(bracket, text, at)
    if (end > at) depth += '[{'.includes(text[at] ?? '') ? 1 : -1
    at = end > at ? end : Math.max(after(anyString, text, at), after(inBrackets, text, at), at + 1)
  } while (depth > 0 && at < text.length)
  return at
}

/** Where `token`, a sticky expression, ends if it stands at `start`; else `start`. */
const after = (token: RegExp, text: string, start: number): number => {
  token.lastIndex = start
  return token.test(text) ? token.lastIndex : start
}

export interface Position {
  line: number
  column: number
}

export const positionOf = (text: string, offset: number): Position => {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
