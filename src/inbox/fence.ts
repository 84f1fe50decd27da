import { createHash } from 'node:crypto'
import type { Directive } from '../contract/directive.ts'

/** Characters of body per part: with its frame a part stays inside the context budget. */
export const partSize = 8000

/** A fence as it was found in a text, whole and unchanged. */
export interface FoundFence {
  id: string
  nonce: string
  part: number
  partCount: number
}

/** Everything that could move a cursor, hide text or pretend to be a new line; tab and line feed stay. */
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu

const escapeUnsafe = (text: string): string =>
  text.replace(unsafe, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)

/** Each line of the content is marked, so that no line of it can be one of the frame's. */
const quote = (text: string): string => `| ${escapeUnsafe(text).replaceAll('\n', '\n| ')}`

/** An attribute cannot leave its quotes or its line. */
const attribute = (value: string): string => escapeUnsafe(value).replace(/[\n\t"<>]/g, ' ')

const digest = (body: string): string => createHash('sha256').update(body).digest('hex').slice(0, 32)

/** The text in parts that fit a hook reply, cut at line ends where there are any. */
export const splitParts = (text: string): string[] => {
  const parts: string[] = []
  let rest = text
  while (quote(rest).length > partSize) {
    const cut = cutAt(rest)
    parts.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...parts, rest]
}

/** The longest beginning whose quoted form fits; quoting may lengthen it, so it is measured quoted. */
const cutAt = (text: string): number => {
  let low = 1
  let high = Math.min(text.length, partSize)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (quote(text.slice(0, middle)).length <= partSize) low = middle
    else high = middle - 1
  }
  const lineEnd = text.lastIndexOf('\n', low - 1) + 1
  if (lineEnd > low / 2) return lineEnd
  return splitsPair(text, low) ? low - 1 : low
}

const splitsPair = (text: string, at: number): boolean => /[\ud800-\udbff]/.test(text[at - 1] ?? '') && at > 1

/** One part of a directive between lines that only this directive can have. */
export const renderPart = (directive: Directive, part: number): string => {
  const parts = splitParts(directive.text)
  const body = quote(parts[part - 1] ?? '')
  const { id, nonce } = directive
  const sender = directive.sender.kind === 'agent' ? `agent ${directive.sender.handle}` : directive.from
  const which = `part="${part}/${parts.length}"`
  return [
    `<rein-directive id="${id}" from="${attribute(sender)}" type="${directive.type}" priority="${directive.priority}" ${which} nonce="${nonce}">`,
    body,
    `</rein-directive id="${id}" ${which} nonce="${nonce}" length="${body.length}" sha256="${digest(body)}">`,
  ].join('\n')
}

const opening = /^<rein-directive id="([^"\n]+)" [^\n]*part="(\d+)\/(\d+)" nonce="([^"\n]+)">$/
const closing =
  /^<\/rein-directive id="([^"\n]+)" part="(\d+)\/(\d+)" nonce="([^"\n]+)" length="(\d+)" sha256="([0-9a-f]{32})">$/

/** The fences that stand in a text complete: opening line, untouched body, closing line. */
export const findFences = (text: string): FoundFence[] => {
  if (!text.includes('</rein-directive ')) return []
  const lines = text.split('\n')
  const found: FoundFence[] = []
  let open: { key: string; line: number } | null = null
  for (const [index, line] of lines.entries()) {
    const start = opening.exec(line)
    if (start !== null) open = { key: [start[1], start[2], start[3], start[4]].join(' '), line: index }
    const end = closing.exec(line)
    if (end === null) continue
    const [, id = '', part = '', partCount = '', nonce = '', length = '', hash = ''] = end
    const body =
      open?.key === [id, part, partCount, nonce].join(' ') ? lines.slice(open.line + 1, index).join('\n') : null
    if (body !== null && body.length === Number(length) && digest(body) === hash) {
      found.push({ id, nonce, part: Number(part), partCount: Number(partCount) })
    }
    open = null
  }
  return found
}
