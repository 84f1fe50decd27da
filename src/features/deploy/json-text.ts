import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { positionOf } from '../../base/config/toml-layout.ts'
import { Refusal } from './refusal.ts'

interface Edit {
  from: number
  to: number
  content: string
}

interface Token {
  word: string
  from: number
  to: number
}

/** One text is looked at many times in a row. */
let latest: { text: string; root: Node } | null = null

/** Reads JSON with comments and trailing commas; anything else is refused at its place. */
export const parseJson = (text: string): Node => {
  if (latest?.text !== text) latest = { text, root: parseRoot(text) }
  return latest.root
}

const parseRoot = (text: string): Node => {
  const { root, errors } = parseLeniently(text)
  const [error] = errors
  if (error !== undefined)
    throw new Refusal(`is not valid JSON: ${wordsOf(error.error)}`, positionOf(text, error.offset))
  if (root?.type !== 'object') throw new Refusal('holds no JSON object', positionOf(text, root?.offset ?? 0))
  return root
}

const parseLeniently = (text: string): { root: Node | undefined; errors: ParseError[] } => {
  const errors: ParseError[] = []
  try {
    return { root: parseTree(text, errors, { allowTrailingComma: true }), errors }
  } catch (cause) {
    if (cause instanceof RangeError) throw new Refusal('is nested too deeply')
    throw cause
  }
}

const wordsOf = (code: ParseErrorCode): string =>
  printParseErrorCode(code)
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .toLowerCase()

/** What a parser makes of it; of two keys of one name the last one counts. */
export const valueOf = (node: Node): unknown => JSON.parse(JSON.stringify(getNodeValue(node)))

/** The value of a key, as the CLIs see it: the last one counts. */
export const memberOf = (object: Node, key: string): Node | undefined =>
  object.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1]

/** Adds elements, or with a key one property, at the end of a container. */
export const addTo = (text: string, container: Node, key: string | null, values: readonly unknown[]): string => {
  const last = container.children?.at(-1)
  const edits =
    last === undefined ? addFirst(text, container, key, values) : addAfter(text, container, last, key, values)
  return applyEdits(text, edits)
}

const addAfter = (
  text: string,
  container: Node,
  last: Node,
  key: string | null,
  values: readonly unknown[],
): Edit[] => {
  const style = styleOf(text, container)
  const tail = tokensBetween(text, endOf(last), closeOf(container))
  const comma = tail.find(isComma)
  const at = tail.at(-1)?.to ?? endOf(last)
  // What follows a comment of this kind on its line would be part of it.
  const needsLine = style.isMultiline || tail.at(-1)?.word.startsWith('//') === true
  const members = `${needsLine ? style.eol + style.indent : style.gap}${render(key, values, style)}`
  if (comma !== undefined) return [insertion(at, `${members},`)]
  return at === endOf(last) ? [insertion(at, `,${members}`)] : [insertion(endOf(last), ','), insertion(at, members)]
}

const addFirst = (text: string, container: Node, key: string | null, values: readonly unknown[]): Edit[] => {
  const style = styleOf(text, container)
  const members = render(key, values, style)
  const close = closeOf(container)
  const comment = tokensBetween(text, container.offset + 1, close).at(-1)
  const closing = style.eol + indentAt(text, container.offset)
  if (comment !== undefined) {
    const hasLine = /[\r\n]/.test(text.slice(comment.to, close))
    return [insertion(comment.to, `${style.eol}${style.indent}${members}${hasLine ? '' : closing}`)]
  }
  const content = style.isMultiline ? `${style.eol}${style.indent}${members}${closing}` : members
  return [{ from: container.offset + 1, to: close, content }]
}

/** Takes an element or a property out, with its comma and the line that was its own; comments stay. */
export const removeFrom = (text: string, child: Node): string => {
  const container = child.parent
  const siblings = container?.children
  if (container === undefined || siblings === undefined) throw new Error('The root cannot be taken out.')
  const close = closeOf(container)
  if (siblings.length === 1 && hasNoComment(text, container, child))
    return applyEdits(text, [{ from: container.offset + 1, to: close, content: '' }])
  const index = siblings.indexOf(child)
  const next = siblings[index + 1]
  const previous = siblings[index - 1]
  const comma = tokensBetween(text, endOf(child), next?.offset ?? close).find(isComma)
  const commaBefore =
    previous === undefined ? undefined : tokensBetween(text, endOf(previous), child.offset).find(isComma)
  const spare = comma ?? commaBefore
  return applyEdits(text, merge([withLine(text, child, comma), ...(spare === undefined ? [] : [deletion(spare)])]))
}

const hasNoComment = (text: string, container: Node, child: Node): boolean =>
  [
    ...tokensBetween(text, container.offset + 1, child.offset),
    ...tokensBetween(text, endOf(child), closeOf(container)),
  ].every(isComma)

/** The range of a child and of the white space that is there only for it. */
const withLine = (text: string, child: Node, comma: Token | undefined): Edit => {
  const isRightBehind = comma !== undefined && text.slice(endOf(child), comma.from).trim() === ''
  const to = isRightBehind ? comma.to : endOf(child)
  const lead = /(?:\r\n|[\r\n])?[ \t]*$/.exec(text.slice(0, child.offset))?.[0] ?? ''
  const rest = /^[ \t]*(?=(\S?))/.exec(text.slice(to))
  const [blank = '', follower = ''] = rest ?? []
  const startsLine = /[\r\n]/.test(lead)
  if (startsLine && follower === '') return deletion({ from: child.offset - lead.length, to })
  const isLast = follower === ']' || follower === '}'
  if (isLast && !startsLine) return deletion({ from: child.offset - lead.length, to })
  return deletion({ from: child.offset, to: follower === '/' ? to : to + blank.length })
}

const insertion = (at: number, content: string): Edit => ({ from: at, to: at, content })
const deletion = ({ from, to }: { from: number; to: number }): Edit => ({ from, to, content: '' })

/** Deletions in order, with those that touch as one. */
const merge = (edits: Edit[]): Edit[] => {
  const merged: Edit[] = []
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last !== undefined && edit.from <= last.to) last.to = Math.max(last.to, edit.to)
    else merged.push({ ...edit })
  }
  return merged
}

const applyEdits = (text: string, edits: readonly Edit[]): string => {
  const pieces: string[] = []
  let at = 0
  for (const { from, to, content } of edits) {
    pieces.push(text.slice(at, from), content)
    at = to
  }
  return pieces.join('') + text.slice(at)
}

/** The parser has the last word: everything else must still be there, in order, or nothing is changed. */
export const refuseLoss = (before: string, after: string): string => {
  const [less, more] = before.length < after.length ? [before, after] : [after, before]
  if (before === after || (isContained(wordsIn(less), wordsIn(more)) && isAsStrict(before, after))) return after
  throw new Refusal('cannot be edited without changing something else')
}

/** All words, in order, with others between them. */
const isContained = (words: readonly string[], all: readonly string[]): boolean => {
  let found = 0
  for (const word of all) if (word === words[found]) found += 1
  return found === words.length
}

/** All that means something, comments included. */
const wordsIn = (text: string): string[] =>
  tokensBetween(text, 0, text.length).flatMap((token) => (isComma(token) ? [] : [token.word]))

const isAsStrict = (before: string, after: string): boolean =>
  isStrict(after) || (!isStrict(before) && parseLeniently(after).errors.length === 0)

const isStrict = (text: string): boolean => {
  const errors: ParseError[] = []
  parseTree(text, errors)
  return errors.length === 0
}

/** Commas, comments and words, without the white space. */
const tokensBetween = (text: string, from: number, to: number): Token[] => {
  const scanner = createScanner(text.slice(from, to))
  const tokens: Token[] = []
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const start = from + scanner.getTokenOffset()
    const end = start + scanner.getTokenLength()
    const word = text.slice(start, end)
    if (word.trim() !== '') tokens.push({ word, from: start, to: end })
  }
  return tokens
}

const isComma = ({ word }: Token): boolean => word === ','
const endOf = (node: Node): number => node.offset + node.length
const closeOf = (container: Node): number => endOf(container) - 1

interface Style {
  isMultiline: boolean
  indent: string
  unit: string
  eol: string
  /** What stands after a comma or colon on one line. */
  gap: string
}

const styleOf = (text: string, container: Node): Style => {
  const [first] = container.children ?? []
  const unit = unitOf(text, container)
  const isMultiline = isOverLines(text, container)
  const isAligned = isMultiline && first !== undefined
  const indent = isAligned ? indentAt(text, first.offset) : indentAt(text, container.offset) + unit
  const gap = /[:,] /.test(text) ? ' ' : ''
  return { isMultiline, indent, unit, eol: eolOf(text), gap }
}

const isOverLines = (text: string, container: Node): boolean => {
  const [first] = container.children ?? []
  if (first !== undefined) return /[\r\n]/.test(text.slice(container.offset, first.offset))
  const outer = outerOf(container)
  return outer === undefined || isOverLines(text, outer)
}

/** The next object or array around it. */
const outerOf = (node: Node): Node | undefined => (node.parent?.type === 'property' ? node.parent.parent : node.parent)

const unitOf = (text: string, node: Node): string => {
  const outer = outerOf(node)
  if (outer !== undefined) return unitOf(text, outer)
  const [first] = node.children ?? []
  if (first === undefined || !isOverLines(text, node)) return '  '
  return indentAt(text, first.offset).slice(indentAt(text, node.offset).length)
}

const indentAt = (text: string, offset: number): string =>
  /(?:^|[\r\n])([ \t]*)[^\r\n]*$/.exec(text.slice(0, offset))?.[1] ?? ''

export const eolOf = (text: string): string => (/\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n')

const render = (key: string | null, values: readonly unknown[], style: Style): string => {
  const { isMultiline, indent, unit, eol, gap } = style
  const name = key === null ? '' : `${JSON.stringify(key)}:${isMultiline ? ' ' : gap}`
  const textOf = (value: unknown): string =>
    isMultiline ? JSON.stringify(value, null, unit).replaceAll('\n', eol + indent) : JSON.stringify(value)
  return values.map((value) => name + textOf(value)).join(`,${isMultiline ? eol + indent : gap}`)
}
