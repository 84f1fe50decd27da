import { mkdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { ReinError } from '../../contract/errors.ts'
import { writeFileAtomic } from '../util/atomic-write.ts'
import { isObject } from '../util/json.ts'
import { requireSetting } from './lookup.ts'
import { parseToml, readTomlFile, type TomlFile } from './toml-file.ts'
import { type Entry, positionOf } from './toml-layout.ts'
import { isPlainNumber, parseValue, type Value } from './value.ts'

/** The value that a text means for a setting. */
export const checkSetting = (key: string, text: string): Value => {
  const checked = parseValue(requireSetting(key), text)
  if (checked.ok) return checked.value
  throw new ReinError(
    'usage',
    `${key} must be ${checked.expected}, not ${JSON.stringify(text)}.`,
    `What it is now: rein config get ${key}`,
  )
}

/** Changes one setting in a config.toml; everything else in it stays as it is, byte for byte. */
export const setSetting = async (file: string, key: string, text: string): Promise<Value> => {
  const value = checkSetting(key, text)
  // A duration or size stays as it was typed.
  const written = typeof value === 'number' && !isPlainNumber(text) ? text.trim() : (value ?? '')
  const before = await readTomlFile(file)
  await writeChecked(file, before, edit(before, key, JSON.stringify(written)), key, written)
  return value
}

/** Takes one setting out of a config.toml, with the rest of its lines; whether it was there. */
export const unsetSetting = async (file: string, key: string): Promise<boolean> => {
  const entryPath = requireSetting(key).key.split('.')
  const before = await readTomlFile(file)
  if (before === null) return false
  const { text, data, layout } = before
  const [group = '', name = ''] = entryPath
  const members = data[group]
  if (!isObject(members) || !Object.hasOwn(members, name)) return false
  const existing = layout.entries.find((entry) => isDeepStrictEqual(entry.path, entryPath))
  const inline = layout.entries.find((entry) => isDeepStrictEqual(entry.path, [group]))
  if (inline) throw notEditable(before, inline, `take ${name} out of it by hand`)
  if (existing === undefined) throw unclear(file, `take ${key} out`)
  const start = text.lastIndexOf('\n', existing.keyStart - 1) + 1
  const lineBreak = text.indexOf('\n', existing.valueEnd)
  // A byte order mark stands before the first key.
  const mark = start === 0 && text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const after = mark + text.slice(mark.length, start) + (lineBreak === -1 ? '' : text.slice(lineBreak + 1))
  await writeChecked(file, before, after, key, undefined)
  return true
}

/** `value` is what the key must have in the new text; undefined: nothing. */
const writeChecked = async (
  file: string,
  before: TomlFile | null,
  after: string,
  key: string,
  value: Value | undefined,
): Promise<void> => {
  await refuseSideEffects(before, file, after, key, value)
  // A link, as dotfile managers make them, stays one.
  const target = await realpath(file).catch(() => file)
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
  const mode = await stat(target).then(
    (stats) => stats.mode & 0o777,
    () => 0o600,
  )
  await writeFileAtomic(target, after, { mode })
}

/** The new text of the file. */
const edit = (before: TomlFile | null, key: string, literal: string): string => {
  const [group = '', name = ''] = key.split('.')
  if (before === null) return `[${group}]\n${name} = ${literal}\n`
  const { text, layout } = before
  const existing = layout.entries.find((entry) => isDeepStrictEqual(entry.path, [group, name]))
  if (existing) return text.slice(0, existing.valueStart) + literal + text.slice(existing.valueEnd)
  const inline = layout.entries.find((entry) => isDeepStrictEqual(entry.path, [group]))
  if (inline) throw notEditable(before, inline, `write ${group} as a [${group}] table first`)
  // A new line where its kind already stands, else a new table at the end.
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const table = layout.tables.findIndex((each) => !each.isArray && isDeepStrictEqual(each.path, [group]))
  const last = layout.entries.findLast((entry) => entry.table === table && entry.path[0] === group)
  const header = layout.tables[table]
  if (last === undefined && header === undefined) {
    const gap = text.trim() === '' ? '' : eol
    return `${endLine(text, eol)}${gap}[${group}]${eol}${name} = ${literal}${eol}`
  }
  const indent = last ? text.slice(text.lastIndexOf('\n', last.keyStart - 1) + 1, last.keyStart) : ''
  const line = `${indent.replace(/[^ \t]/g, '')}${header ? name : `${group}.${name}`} = ${literal}${eol}`
  const lineBreak = text.indexOf('\n', last?.valueEnd ?? header?.headerEnd ?? 0)
  const end = lineBreak === -1 ? text.length : lineBreak + 1
  return endLine(text.slice(0, end), eol) + line + text.slice(end)
}

const endLine = (text: string, eol: string): string => (text === '' || text.endsWith('\n') ? text : text + eol)

const notEditable = ({ file, text }: TomlFile, entry: Entry, hint: string): ReinError => {
  const { line, column } = positionOf(text, entry.keyStart)
  return new ReinError('refused', `${file}:${line}:${column}: cannot be changed in place.`, `Please ${hint}.`)
}

/** The parser has the last word: the new text must mean the old one with this value, or nothing is written. */
const refuseSideEffects = async (
  before: TomlFile | null,
  file: string,
  after: string,
  key: string,
  value: Value | undefined,
): Promise<void> => {
  const [group = '', name = ''] = key.split('.')
  const wanted = await parseToml(file, before?.text ?? '')
  const members: Record<string, unknown> = Object.assign(Object.create(null), wanted[group], { [name]: value })
  if (value === undefined) delete members[name]
  const meaning = await parseToml(file, after)
  // Where a line named the group, too, that is gone with the last of its keys.
  if (Object.keys(members).length > 0 || Object.hasOwn(meaning, group)) wanted[group] = members
  else delete wanted[group]
  if (!isDeepStrictEqual(meaning, wanted)) throw unclear(file, value === undefined ? `take ${key} out` : `set ${key}`)
}

const unclear = (file: string, what: string): ReinError =>
  new ReinError('refused', `${file} cannot be changed without changing its meaning.`, `Please ${what} by hand.`)
