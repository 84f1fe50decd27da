import type { Deployment } from '../../drivers/contract.ts'
import { addToJson, isEmptyJson, isSameJson, type JsonPart, takeFromJson } from './json.ts'
import { Refusal } from './refusal.ts'
import { addBlock, takeBlock } from './text-block.ts'
import { addToToml, isSameToml, takeFromToml, type TomlPart } from './toml.ts'

/** A file as the register knows it. */
export interface Known {
  /** The text without Rein's parts; null if there was no file. */
  base: string | null
  parts: readonly Deployment[]
  made: readonly (readonly string[])[]
  /** The file is byte for byte as Rein left it, or as it was before. */
  isUntouched: boolean
}

export interface Plan {
  base: string | null
  /** The new text; null removes the file. */
  after: string | null
  made: string[][]
  /** Parts of Rein that were changed since, and stay. */
  kept: string[]
}

/** Decides the new text of one file. Throws a Refusal that says why it must stay as it is. */
export const plan = (current: string | null, known: Known | null, wanted: readonly Deployment[]): Plan => {
  let [base, kept]: [string | null, string[]] = [null, []]
  if (known?.isUntouched === true) base = known.base
  else if (current !== null) {
    const mark = bomOf(current)
    const parts = [...(known?.parts ?? []), ...wanted]
    const format = formatOf(parts)
    const without = format.take(current.slice(mark.length), parts, known?.made ?? [])
    const isNothing = without.text === null || (known?.base === null && format.isEmpty(without.text))
    base = isNothing ? null : mark + without.text
    kept = [...new Set(without.kept)]
  }
  if (wanted.length === 0) return { base, after: base, made: [], kept }
  const { text, made } = add(base, wanted)
  const isThere = current !== null && current !== base && isSame(current, text, wanted)
  return { base, after: isThere ? current : text, made, kept }
}

const bom = '\uFEFF'
const bomOf = (text: string | null): string => (text?.startsWith(bom) ? bom : '')

const add = (base: string | null, wanted: readonly Deployment[]): { text: string; made: string[][] } => {
  const mark = bomOf(base)
  // Two CLIs that read the same file may want the same in it.
  const parts = [...new Map(wanted.map((part) => [JSON.stringify({ ...part, path: '' }), part])).values()]
  const { text, made } = formatOf(wanted).add(base === null ? null : base.slice(mark.length), parts)
  return { text: mark + text, made }
}

const isSame = (current: string, text: string, wanted: readonly Deployment[]): boolean => {
  const [one, other] = [current.slice(bomOf(current).length), text.slice(bomOf(text).length)]
  return one === other || (one.trim() !== '' && formatOf(wanted).isSame(one, other))
}

/** One way to put things into a text and to take them out again. */
interface Format {
  take(text: string, parts: readonly Deployment[], made: Known['made']): { text: string | null; kept: string[] }
  add(base: string | null, parts: readonly Deployment[]): { text: string; made: string[][] }
  isSame(one: string, other: string): boolean
  isEmpty(text: string): boolean
}

const isBlank = (text: string): boolean => text.trim() === ''

const json: Format = {
  take: (text, parts, made) => takeFromJson(text, parts as JsonPart[], made),
  add: (base, parts) => addToJson(base, parts as JsonPart[]),
  isSame: isSameJson,
  isEmpty: isEmptyJson,
}

const toml: Format = {
  take: (text, parts) => takeFromToml(text, parts as TomlPart[]),
  add: (base, parts) => ({ text: addToToml(base, parts as TomlPart[]), made: [] }),
  isSame: isSameToml,
  isEmpty: isBlank,
}

const instructions: Format = {
  take: (text) => ({ text: takeBlock(text), kept: [] }),
  add: (base, parts) => ({
    text: addBlock(
      base,
      (parts as TextPart[]).map(({ text }) => text),
    ),
    made: [],
  }),
  isSame: () => false,
  isEmpty: isBlank,
}

const wholeFile: Format = {
  take: (text, parts) =>
    (parts as FilePart[]).some(({ content }) => content === text)
      ? { text: null, kept: [] }
      : { text, kept: ['the file'] },
  add: (base, parts) => {
    const [content, another] = new Set((parts as FilePart[]).map((part) => part.content))
    if (base !== null) throw new Refusal("is there already and not Rein's, or was changed since")
    if (content === undefined || another !== undefined) throw new Refusal('is wanted with different contents')
    return { text: content, made: [] }
  },
  isSame: () => false,
  isEmpty: () => false,
}

type TextPart = Extract<Deployment, { kind: 'text-block' }>
type FilePart = Extract<Deployment, { kind: 'file' }>

const formats: Record<Deployment['kind'], Format> = {
  file: wholeFile,
  'json-items': json,
  'json-key': json,
  'toml-table': toml,
  'text-block': instructions,
}

const formatOf = (parts: readonly Deployment[]): Format => {
  const [format, another] = new Set(parts.map(({ kind }) => formats[kind]))
  if (format === undefined || another !== undefined) throw new Refusal('is wanted in different formats')
  return format
}
