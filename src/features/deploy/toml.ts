import { isDeepStrictEqual } from 'node:util'
import { parse, TomlError, type TomlTable } from 'smol-toml'
import { layoutOf, positionOf } from '../../base/config/toml-layout.ts'
import type { Deployment } from '../../drivers/contract.ts'
import { isObject } from '../../base/util/json.ts'
import type { Stripped } from './json.ts'
import { eolOf } from './json-text.ts'
import { Refusal } from './refusal.ts'

export type TomlPart = Extract<Deployment, { kind: 'toml-table' }>
type Path = readonly string[]

/** Each table at the end, where it cannot become part of another one. */
export const addToToml = (base: string | null, parts: readonly TomlPart[]): string =>
  parts.reduce((text, { table, values }) => addTable(text, table, values), base ?? '')

const addTable = (text: string, table: Path, values: Record<string, unknown>): string => {
  const lines = [
    `[${table.map(renderKey).join('.')}]`,
    ...Object.entries(values).map(([key, value]) => `${renderKey(key)} = ${renderValue(value)}`),
  ]
  const before = parseToml(text)
  if (valueAt(before, table) !== undefined) throw refuse(text, table, "is there already and not Rein's")
  const eol = eolOf(text)
  const start = text === '' || text.endsWith('\n') ? text : text + eol
  const after = `${start}${text.trim() === '' ? '' : eol}${lines.join(eol)}${eol}`
  if (!addsOnly(before, after, table, values)) throw refuse(text, table, 'cannot be added beside what is there')
  return after
}

/** The parser decides: the new text must mean the old one with this table, or nothing is changed. */
const addsOnly = (before: TomlTable, after: string, table: Path, values: Record<string, unknown>): boolean => {
  try {
    const data = parseToml(after)
    if (!isDeepStrictEqual(plain(valueAt(data, table)), plain(values))) return false
    return isDeepStrictEqual(withoutPath(data, table), withoutPath(before, table))
  } catch (cause) {
    if (cause instanceof Refusal) return false
    throw cause
  }
}

/** A copy without the value at the path, nor the tables that held nothing else. */
const withoutPath = (data: unknown, [key, ...rest]: Path): unknown => {
  if (key === undefined || !isObject(data)) return undefined
  const inner = rest.length === 0 ? undefined : withoutPath(data[key], rest)
  const isGone = inner === undefined || (isObject(inner) && Object.keys(inner).length === 0)
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (name !== key ? [[name, value]] : isGone ? [] : [[name, inner]])),
  )
}

/** The text without the tables that are exactly what Rein wrote. */
export const takeFromToml = (text: string, parts: readonly TomlPart[]): Stripped => {
  const cleaned = parts.reduce(takeTable, text)
  const data = parseToml(cleaned)
  const kept = parts.filter(({ table }) => valueAt(data, table) !== undefined).map(({ table }) => table.join('.'))
  return { text: cleaned, kept }
}

const takeTable = (text: string, { table, values }: TomlPart): string => {
  const before = parseToml(text)
  if (!isDeepStrictEqual(plain(valueAt(before, table)), plain(values))) return text
  const after = cutTable(text, table)
  const isClean = isDeepStrictEqual(withoutPath(before, table), withoutPath(parseToml(after), table))
  if (isClean && valueAt(parseToml(after), table) === undefined) return after
  throw refuse(text, table, 'cannot be taken out without changing something else')
}

/** Removes the header and the entries, each with its line unless there is a comment on it. */
const cutTable = (text: string, table: Path): string => {
  const { tables, entries } = layoutOf(text)
  const index = tables.findIndex(({ path, isArray }) => !isArray && isDeepStrictEqual(path, table))
  const header = tables[index]
  if (header === undefined) return text
  const start = text.lastIndexOf('[', header.headerEnd - 1)
  const spans = [
    { from: start, to: header.headerEnd },
    ...entries
      .filter((entry) => entry.table === index)
      .map(({ keyStart, valueEnd }) => ({ from: keyStart, to: valueEnd })),
  ]
  const [first] = spans.map((span) => withLine(text, span))
  const gap = /(?<=\n)\r?\n$/.exec(text.slice(0, first?.from))?.[0].length ?? 0
  return spans
    .toReversed()
    .map((span) => withLine(text, span))
    .reduce(
      (done, { from, to }, place) => done.slice(0, place === spans.length - 1 ? from - gap : from) + done.slice(to),
      text,
    )
}

const withLine = (text: string, { from, to }: { from: number; to: number }): { from: number; to: number } => {
  const lead = /(?:^|(?<=\n))[ \t]*$/.exec(text.slice(0, from))?.[0]
  const rest = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(to))?.[0]
  return lead === undefined || rest === undefined ? { from, to } : { from: from - lead.length, to: to + rest.length }
}

export const isSameToml = (one: string, other: string): boolean => isDeepStrictEqual(parseToml(one), parseToml(other))

const parseToml = (text: string): TomlTable => {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' })
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause
    const reason = cause.message.split('\n')[0]?.replace('Invalid TOML document: ', '')
    throw new Refusal(`is not valid TOML: ${reason}`, { line: cause.line, column: cause.column })
  }
}

const valueAt = (data: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), data)

/** Without prototypes, which the parser sets in its own way. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (!isObject(value) || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

/** Refuses at the first place that concerns the table. */
const refuse = (text: string, table: Path, reason: string): Refusal => {
  const { entries, tables } = layoutOf(text)
  const about = (path: Path): boolean => path.every((name, depth) => depth >= table.length || name === table[depth])
  const lineOf = (offset: number): number => text.lastIndexOf('\n', offset - 1) + 1
  const offsets = [
    ...entries.filter(({ path }) => about(path)).map(({ keyStart }) => keyStart),
    ...tables.filter(({ path }) => about(path)).map(({ headerEnd }) => lineOf(headerEnd)),
  ]
  return new Refusal(
    `${table.join('.')} ${reason}`,
    offsets.length === 0 ? null : positionOf(text, Math.min(...offsets)),
  )
}

const renderKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : renderString(key))

/** JSON's strings are TOML's, but for one character. */
const renderString = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f')

const renderValue = (value: unknown): string => {
  if (typeof value === 'string') return renderString(value)
  if (Array.isArray(value)) return `[${value.map(renderValue).join(', ')}]`
  if (!isObject(value)) return String(value)
  const members = Object.entries(value).map(([key, inner]) => `${renderKey(key)} = ${renderValue(inner)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
