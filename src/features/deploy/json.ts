import { isDeepStrictEqual } from 'node:util'
import type { Node } from 'jsonc-parser'
import { positionOf } from '../../base/config/toml-layout.ts'
import type { Deployment } from '../../drivers/contract.ts'
import { addTo, memberOf, parseJson, refuseLoss, removeFrom, valueOf } from './json-text.ts'
import { Refusal } from './refusal.ts'

export type JsonPart = Extract<Deployment, { kind: 'json-items' | 'json-key' }>
type ItemsPart = Extract<Deployment, { kind: 'json-items' }>
type Path = readonly string[]

/** The text with everything put in, and which objects and lists had to be made for it. */
export const addToJson = (base: string | null, parts: readonly JsonPart[]): { text: string; made: string[][] } => {
  const made: string[][] = []
  const start = base === null || base.trim() === '' ? '{}\n' : base
  const text = together(parts).reduce((done, part) => addPart(done, part, made), start)
  return { text: refuseLoss(start, text), made }
}

/** Items for one list at once, whoever wants them there. */
const together = (parts: readonly JsonPart[]): JsonPart[] => {
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

const addPart = (text: string, part: JsonPart, made: string[][]): string =>
  part.kind === 'json-key' ? addKey(text, part.at, part.value, made) : addItems(text, part.at, part.items, made)

const addKey = (text: string, at: Path, value: unknown, made: string[][]): string => {
  const { node, depth } = deepest(text, at)
  if (depth === at.length) throw taken(text, node, at)
  const missing = at.slice(depth)
  mustBe('object', text, node, at.slice(0, depth))
  for (let length = depth + 1; length < at.length; length += 1) made.push(at.slice(0, length))
  return addTo(text, node, missing[0] ?? '', [nest(missing.slice(1), value)])
}

const addItems = (text: string, at: Path, items: readonly unknown[], made: string[][]): string => {
  const { node, depth } = deepest(text, at)
  if (depth < at.length) {
    made.push([...at])
    return addKey(text, at, items, made)
  }
  mustBe('array', text, node, at)
  return addTo(text, node, null, items)
}

/** How far a path goes, and what is there. */
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

const nest = (path: Path, value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)

const articles = { object: 'an object', array: 'a list' } as const

const mustBe = (type: keyof typeof articles, text: string, node: Node, at: Path): void => {
  if (node.type === type) return
  const found = node.type === 'array' || node.type === 'object' ? articles[node.type] : `a ${node.type}`
  throw new Refusal(`${at.join('.')} is ${found}, not ${articles[type]}`, positionOf(text, node.offset))
}

const taken = (text: string, node: Node, at: Path): Refusal =>
  new Refusal(`${at.join('.')} is there already and not Rein's`, positionOf(text, node.offset))

export interface Stripped {
  text: string
  /** What was Rein's and has been changed by somebody since. */
  kept: string[]
}

/** The text without what is Rein's: by its mark, or because it is exactly what Rein wrote. */
export const takeFromJson = (text: string, parts: readonly JsonPart[], made: readonly Path[]): Stripped => {
  if (text.trim() === '') return { text, kept: [] }
  const cleaned = parts.reduce(takePart, text)
  const deepestFirst = made.toSorted((a, b) => b.length - a.length)
  return {
    text: refuseLoss(text, deepestFirst.reduce(takeIfEmpty, cleaned)),
    kept: parts.flatMap((part) => leftover(cleaned, part)),
  }
}

const takePart = (text: string, part: JsonPart): string =>
  part.kind === 'json-key' ? takeKey(text, part.at, part.value) : takeItems(text, part)

const takeKey = (text: string, at: Path, value: unknown): string => {
  const node = find(text, at)
  return node?.parent !== undefined && isSame(node, value) ? removeFrom(text, node.parent) : text
}

/** One after the other: each changes where the next one stands. */
const takeItems = (text: string, part: ItemsPart): string => {
  const list = find(text, part.at)
  const [ours] = list?.type === 'array' ? (list.children ?? []).flatMap((item) => oursOf(item, part)) : []
  return ours === undefined ? text : takeItems(removeFrom(text, ours), part)
}

/** A word has no room for a mark of its own, so it must be the very word. */
const oursOf = (item: Node, { items, marker }: ItemsPart): Node[] => {
  if (item.type === 'string') return items.includes(item.value) ? [item] : []
  return oursIn(item, marker)
}

/** An entry that carries the mark, or those of its inner entries that do if somebody put others beside them. */
const oursIn = (item: Node, marker: string): Node[] => {
  if (item.type !== 'object') return []
  const values = (item.children ?? []).flatMap((property) => property.children?.[1] ?? [])
  if (values.some((value) => isMarked(value, marker))) return [item]
  const lists = values.filter((value) => value.type === 'array').map((list) => list.children ?? [])
  const ours = lists.map((entries) => entries.filter((entry) => oursIn(entry, marker).includes(entry)))
  const found = ours.flat()
  return found.length > 0 && found.length === lists.flat().length ? [item] : found
}

/** Exactly at the end: a user's own command may well mention Rein. */
const isMarked = (node: Node, marker: string): boolean => node.type === 'string' && String(node.value).endsWith(marker)

const takeIfEmpty = (text: string, at: Path): string => {
  const node = find(text, at)
  const isEmpty = node !== undefined && /^[[{]\s*[\]}]$/.test(text.slice(node.offset, node.offset + node.length))
  return isEmpty && node.parent !== undefined ? removeFrom(text, node.parent) : text
}

const leftover = (text: string, part: JsonPart): string[] =>
  part.kind === 'json-key' && find(text, part.at) !== undefined ? [part.at.join('.')] : []

const isSame = (node: Node, value: unknown): boolean =>
  isDeepStrictEqual(valueOf(node), JSON.parse(JSON.stringify(value)))

/** The same settings, however they are written. */
export const isSameJson = (one: string, other: string): boolean =>
  isDeepStrictEqual(valueOf(parseJson(one)), valueOf(parseJson(other)))

export const isEmptyJson = (text: string): boolean => /^\s*\{\s*\}\s*$/.test(text)
