import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
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

/** One text is parsed many times in a row. */
let latest: { text: string; root: Node } | null = null

/** Reads JSON with comments and trailing commas; anything else is refused at its place. */
export const parseJson = (text: string): Node => {
  if (latest?.text === text) return latest.root
  const { root, errors } = parseLeniently(text)
  const [error] = errors
  if (error !== undefined) {
    const reason = printParseErrorCode(error.error)
      .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      .toLowerCase()
    throw new Refusal(`is not valid JSON: ${reason}`, positionOf(text, error.offset))
  }
  if (root?.type !== 'object') throw new Refusal('holds no JSON object', positionOf(text, root?.offset ?? 0))
  latest = { text, root }
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

/** The parsed value; the last of several keys of one name counts. */
export const valueOf = (node: Node): unknown => JSON.parse(JSON.stringify(getNodeValue(node)))

/** The value of a key, as the CLIs see it: the last one counts. */
export const memberOf = (object: Node, key: string): Node | undefined =>
  object.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1]

/** Adds elements, or with a key one property, at the end of a container. */
export const addTo = (text: string, container: Node, key: string | null, values: readonly unknown[]): string => {
  const style = styleOf(text, container)
  const members = render(key, values, style)
  const line = style.eol + style.indent
  const close = closeOf(container)
  const last = container.children?.at(-1)
  if (last === undefined) {
    const comment = tokensBetween(text, container.offset + 1, close).at(-1)
    const closing = style.eol + indentAt(text, container.offset)
    if (comment !== undefined) {
      const hasLine = /[\r\n]/.test(text.slice(comment.to, close))
      return applyEdits(text, [insertion(comment.to, `${line}${members}${hasLine ? '' : closing}`)])
    }
    const content = style.isMultiline ? `${line}${members}${closing}` : members
    return applyEdits(text, [{ from: container.offset + 1, to: close, content }])
  }
  const tail = tokensBetween(text, endOf(last), close)
  const at = tail.at(-1)?.to ?? endOf(last)
  // Text on the line of a `//` comment would be part of it.
  const needsLine = style.isMultiline || tail.at(-1)?.word.startsWith('//') === true
  const added = `${needsLine ? line : style.gap}${members}`
  if (tail.some(isComma)) return applyEdits(text, [insertion(at, `${added},`)])
  const isTight = at === endOf(last)
  return applyEdits(text, isTight ? [insertion(at, `,${added}`)] : [insertion(endOf(last), ','), insertion(at, added)])
}

/** Removes an element or a property, with its comma and its line; comments stay. */
export const removeFrom = (text: string, child: Node): string => {
  const container = child.parent
  const siblings = container?.children
  if (container === undefined || siblings === undefined) throw new Error('The root cannot be taken out.')
  const close = closeOf(container)
  const before = tokensBetween(text, container.offset + 1, child.offset)
  if (siblings.length === 1 && [...before, ...tokensBetween(text, endOf(child), close)].every(isComma))
    return applyEdits(text, [{ from: container.offset + 1, to: close, content: '' }])
  const index = siblings.indexOf(child)
  const next = siblings[index + 1]
  const previous = siblings[index - 1]
  const comma = tokensBetween(text, endOf(child), next?.offset ?? close).find(isComma)
  const commaBefore =
    previous === undefined ? undefined : tokensBetween(text, endOf(previous), child.offset).find(isComma)
  const spare = comma ?? commaBefore
  const edits = [withLine(text, child, comma), ...(spare === undefined ? [] : [deletion(spare)])]
  const [first, second] = edits.toSorted((a, b) => a.from - b.from) as [Edit, Edit?]
  if (second === undefined || second.from > first.to) return applyEdits(text, second ? [first, second] : [first])
  // Two deletions that touch are one.
  return applyEdits(text, [{ ...first, to: Math.max(first.to, second.to) }])
}

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

const applyEdits = (text: string, edits: readonly Edit[]): string => {
  const pieces: string[] = []
  let at = 0
  for (const { from, to, content } of edits) {
    pieces.push(text.slice(at, from), content)
    at = to
  }
  return pieces.join('') + text.slice(at)
}

/** The parser decides: everything else must still be there, in order, or nothing is changed. */
export const refuseLoss = (before: string, after: string): string => {
  if (before === after) return after
  const [less, more] = (before.length < after.length ? [before, after] : [after, before]).map(listWords)
  // All words of the shorter text are in the longer one, in order, with others between them.
  let found = 0
  for (const word of more ?? []) if (word === less?.[found]) found += 1
  const isContained = found === less?.length
  const isAsStrict = () => isStrict(after) || (!isStrict(before) && parseLeniently(after).errors.length === 0)
  if (isContained && isAsStrict()) return after
  throw new Refusal('cannot be edited without changing something else')
}

/** All words of a text, comments included. */
const listWords = (text: string): string[] =>
  tokensBetween(text, 0, text.length).flatMap((token) => (isComma(token) ? [] : [token.word]))

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
  /** The separator after a comma or colon on one line. */
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
