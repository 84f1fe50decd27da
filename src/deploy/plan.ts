import type { Deployment } from '../drivers/contract.ts'
import { addToJson, isEmptyJson, isSameJson, type JsonPart, takeFromJson } from './json.ts'
import { Refusal } from './refusal.ts'
import { addBlock, takeBlock } from './text-block.ts'
import { addToToml, isSameToml, takeFromToml, type TomlPart } from './toml.ts'

/** What is known about a file from the last time. */
export interface Known {
  /** The text without anything of Rein's; null if there was no file. */
  base: string | null
  parts: readonly Deployment[]
  made: readonly (readonly string[])[]
  /** The file is byte for byte as Rein left it, or as it was before. */
  isUntouched: boolean
}

export interface Plan {
  base: string | null
  /** What the file is to hold; null: there is to be none. */
  after: string | null
  made: string[][]
  /** What was Rein's, was changed by somebody since, and stays. */
  kept: string[]
}

/** Decides the new text of one file. Throws a Refusal that says why it must stay as it is. */
export const plan = (current: string | null, known: Known | null, wanted: readonly Deployment[]): Plan => {
  const { base, kept } = known?.isUntouched === true ? { base: known.base, kept: [] } : strip(current, known, wanted)
  if (wanted.length === 0) return { base, after: base, made: [], kept }
  const { text, made } = add(base, wanted)
  const isThere = current !== null && isSame(current, text, wanted)
  return { base, after: isThere ? current : text, made, kept }
}

const bom = '\uFEFF'
const bomOf = (text: string | null): string => (text?.startsWith(bom) ? bom : '')

interface Without {
  base: string | null
  kept: string[]
}

const strip = (current: string | null, known: Known | null, wanted: readonly Deployment[]): Without => {
  if (current === null) return { base: null, kept: [] }
  const mark = bomOf(current)
  const parts = [...(known?.parts ?? []), ...wanted]
  const { text, kept } = takeOut(current.slice(mark.length), parts, known?.made ?? [])
  const isNothing = text === null || (known?.base === null && isEmpty(text, parts))
  return { base: isNothing ? null : mark + text, kept: [...new Set(kept)] }
}

const takeOut = (
  text: string,
  parts: readonly Deployment[],
  made: Known['made'],
): { text: string | null; kept: string[] } => {
  switch (formatOf(parts)) {
    case 'json':
      return takeFromJson(text, parts as JsonPart[], made)
    case 'toml':
      return takeFromToml(text, parts as TomlPart[])
    case 'text':
      return { text: takeBlock(text), kept: [] }
    case 'file':
      return parts.some((part) => part.kind === 'file' && part.content === text)
        ? { text: null, kept: [] }
        : { text, kept: ['the file'] }
  }
}

const isEmpty = (text: string, parts: readonly Deployment[]): boolean =>
  formatOf(parts) === 'json' ? isEmptyJson(text) : text.trim() === ''

const add = (base: string | null, wanted: readonly Deployment[]): { text: string; made: string[][] } => {
  const mark = bomOf(base)
  const { text, made } = putIn(base === null ? null : base.slice(mark.length), wanted)
  return { text: mark + text, made }
}

const putIn = (base: string | null, wanted: readonly Deployment[]): { text: string; made: string[][] } => {
  switch (formatOf(wanted)) {
    case 'json':
      return addToJson(base, distinct(wanted as JsonPart[]))
    case 'toml':
      return { text: addToToml(base, distinct(wanted as TomlPart[])), made: [] }
    case 'text':
      return {
        text: addBlock(
          base,
          wanted.flatMap((part) => (part.kind === 'text-block' ? part.text : [])),
        ),
        made: [],
      }
    case 'file':
      return { text: wholeFile(base, wanted), made: [] }
  }
}

const wholeFile = (base: string | null, wanted: readonly Deployment[]): string => {
  const contents = new Set(wanted.flatMap((part) => (part.kind === 'file' ? part.content : [])))
  const [content] = contents
  if (base !== null) throw new Refusal("is there already and not Rein's, or was changed since")
  if (content === undefined || contents.size > 1) throw new Refusal('is wanted with different contents')
  return content
}

/** Two CLIs that read the same file may want the same in it. */
const distinct = <T>(parts: readonly T[]): T[] => [
  ...new Map(parts.map((part) => [JSON.stringify(part), part])).values(),
]

const isSame = (current: string, text: string, wanted: readonly Deployment[]): boolean => {
  const [one, other] = [current.slice(bomOf(current).length), text.slice(bomOf(text).length)]
  const format = formatOf(wanted)
  if (one === other || one.trim() === '') return one === other
  if (format === 'json') return isSameJson(one, other)
  return format === 'toml' && isSameToml(one, other)
}

const formats = {
  file: 'file',
  'json-items': 'json',
  'json-key': 'json',
  'toml-table': 'toml',
  'text-block': 'text',
} as const satisfies Record<Deployment['kind'], string>

const formatOf = (parts: readonly Deployment[]): (typeof formats)[Deployment['kind']] => {
  const found = new Set(parts.map(({ kind }) => formats[kind]))
  const [format] = found
  if (format === undefined || found.size > 1) throw new Refusal('is wanted in different formats')
  return format
}
