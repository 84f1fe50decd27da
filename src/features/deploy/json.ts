import { isDeepStrictEqual } from 'node:util'
import type { Node } from 'jsonc-parser'
import { positionOf } from '../../base/config/toml-layout.ts'
import type { Deployment } from '../../drivers/contract.ts'
import { addTo, memberOf, parseJson, refuseLoss, removeFrom, valueOf } from './json-text.ts'
import { Refusal } from './refusal.ts'

export type JsonPart = Extract<Deployment, { kind: 'json-items' | 'json-key' }>
type ItemsPart = Extract<Deployment, { kind: 'json-items' }>
type Path = readonly string[]

/** The text with all parts, and the objects and lists that were made for them. */
export const addToJson = (base: string | null, parts: readonly JsonPart[]): { text: string; made: string[][] } => {
  const made: string[][] = []
  const start = base === null || base.trim() === '' ? '{}\n' : base
  let text = start
  for (const part of mergeItems(parts))
    if (part.kind === 'json-key') text = addKey(text, part.at, part.value, made)
    else {
      const { node, depth } = deepest(text, part.at)
      if (depth < part.at.length) {
        made.push([...part.at])
        text = addKey(text, part.at, part.items, made)
      } else {
        mustBe('array', text, node, part.at)
        text = addTo(text, node, null, part.items)
      }
    }
  return { text: refuseLoss(start, text), made }
}

/** The items of all owners for one list are added at once. */
const mergeItems = (parts: readonly JsonPart[]): JsonPart[] => {
  const lists = new Map<string, JsonPart>()
  for (const part of parts) {
    const id = JSON.stringify([part.kind, part.at])
    const earlier = lists.get(id)
    const isList = part.kind === 'json-items' && earlier?.kind === 'json-items'
    if (isList) lists.set(id, { ...part, items: [...earlier.items, ...part.items] })
    else lists.set(earlier === undefined ? id : JSON.stringify(part), part)
  }
  return [...lists.values()]
}

const addKey = (text: string, at: Path, value: unknown, made: string[][]): string => {
  const { node, depth } = deepest(text, at)
  if (depth === at.length)
    throw new Refusal(`${at.join('.')} is there already and not Rein's`, positionOf(text, node.offset))
  const missing = at.slice(depth)
  mustBe('object', text, node, at.slice(0, depth))
  for (let length = depth + 1; length < at.length; length += 1) made.push(at.slice(0, length))
  const nested = missing.slice(1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  return addTo(text, node, missing[0] ?? '', [nested])
}

/** The deepest existing node of a path, and its depth. */
const deepest = (text: string, at: Path): { node: Node; depth: number } => {
  let node = parseJson(text)
  for (const [depth, key] of at.entries()) {
    mustBe('object', text, node, at.slice(0, depth))
    const next = memberOf(node, key)
    if (next === undefined) return { node, depth }
    node = next
  }
  return { node, depth: at.length }
}

const find = (text: string, at: Path): Node | undefined => {
  let node: Node | undefined = parseJson(text)
  for (const key of at) node = node?.type === 'object' ? memberOf(node, key) : undefined
  return node
}

const articles = { object: 'an object', array: 'a list' } as const

const mustBe = (type: keyof typeof articles, text: string, node: Node, at: Path): void => {
  if (node.type === type) return
  const found = node.type === 'array' || node.type === 'object' ? articles[node.type] : `a ${node.type}`
  throw new Refusal(`${at.join('.')} is ${found}, not ${articles[type]}`, positionOf(text, node.offset))
}

export interface Stripped {
  text: string
  /** Parts of Rein that were changed since. */
  kept: string[]
}

/** The text without what is Rein's: by its mark, or because it is exactly what Rein wrote. */
export const takeFromJson = (text: string, parts: readonly JsonPart[], made: readonly Path[]): Stripped => {
  if (text.trim() === '') return { text, kept: [] }
  let cleaned = text
  for (const part of parts)
    if (part.kind === 'json-items') cleaned = takeItems(cleaned, part)
    else {
      const node = find(cleaned, part.at)
      const isOurs = node !== undefined && isDeepStrictEqual(valueOf(node), JSON.parse(JSON.stringify(part.value)))
      if (isOurs && node.parent !== undefined) cleaned = removeFrom(cleaned, node.parent)
    }
  const kept = parts.filter((part) => part.kind === 'json-key' && find(cleaned, part.at) !== undefined)
  let emptied = cleaned
  for (const at of made.toSorted((a, b) => b.length - a.length)) {
    const node = find(emptied, at)
    const isEmpty = node !== undefined && /^[[{]\s*[\]}]$/.test(emptied.slice(node.offset, node.offset + node.length))
    if (isEmpty && node.parent !== undefined) emptied = removeFrom(emptied, node.parent)
  }
  return { text: refuseLoss(text, emptied), kept: kept.map(({ at }) => at.join('.')) }
}

/** One after the other, since each removal changes the places of the others. */
const takeItems = (text: string, part: ItemsPart): string => {
  const list = find(text, part.at)
  const items = list?.type === 'array' ? (list.children ?? []) : []
  const [ours] = items.flatMap((item) => {
    if (item.type !== 'string') return oursIn(item, part.marker)
    // A plain string has no room for a mark, so it must be equal.
    return part.items.includes(item.value) ? [item] : []
  })
  return ours === undefined ? text : takeItems(removeFrom(text, ours), part)
}

/** An entry with the mark, or its marked inner entries if the user has put others beside them. */
const oursIn = (item: Node, marker: string): Node[] => {
  if (item.type !== 'object') return []
  const values = (item.children ?? []).flatMap((property) => property.children?.[1] ?? [])
  // Exactly at the end: a user's own command may well mention Rein.
  if (values.some((value) => value.type === 'string' && String(value.value).endsWith(marker))) return [item]
  const lists = values.filter((value) => value.type === 'array').map((list) => list.children ?? [])
  const ours = lists.map((entries) => entries.filter((entry) => oursIn(entry, marker).includes(entry)))
  const found = ours.flat()
  return found.length > 0 && found.length === lists.flat().length ? [item] : found
}

/** The same settings, however they are written. */
export const isSameJson = (one: string, other: string): boolean =>
  isDeepStrictEqual(valueOf(parseJson(one)), valueOf(parseJson(other)))

export const isEmptyJson = (text: string): boolean => /^\s*\{\s*\}\s*$/.test(text)
