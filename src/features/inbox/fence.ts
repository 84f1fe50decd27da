import { personName } from '../../contract/person.ts'
import { createHash } from 'node:crypto'
import type { Directive } from '../../contract/directive.ts'
import type { Actor } from '../../contract/identity.ts'
import { splitRoomKey } from '../../contract/team.ts'
import { copyText } from '../../base/util/copy-text.ts'
import { cutShown, escapeUnsafe, quote } from '../../base/util/visible.ts'

/** Characters of body per part: with the longest frame and hint a part stays inside the smallest context budget. */
export const partSize = 7900
const maxAttribute = 64

/** A fence as it was found in a text, whole and unchanged. */
export interface FoundFence {
  id: string
  nonce: string
  part: number
  partCount: number
  sha256: string
}

/** An attribute cannot leave its quotes or its line. */
const attribute = (value: string): string => {
  const safe = escapeUnsafe(value).replace(/[\n\t"<>]/g, ' ')
  return cutShown(safe, maxAttribute)
}

const digest = (body: string): string => createHash('sha256').update(body).digest('hex').slice(0, 32)

const known = new WeakMap<Directive, string[]>()

/** The text in parts that fit a hook reply, cut at line ends where there are any. */
export const partsOf = (directive: Directive): string[] => {
  const parts = known.get(directive) ?? splitParts(directive.text)
  known.set(directive, parts)
  return parts
}

const splitParts = (text: string): string[] => {
  const parts: string[] = []
  let rest = text
  while (rest.length > partSize || quote(rest).length > partSize) {
    const cut = cutAt(rest)
    parts.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...parts, rest]
}

/** The longest beginning whose quoted form fits, or its last line end if that is not much less. */
const cutAt = (text: string): number => {
  let quoted = quote('').length
  let end = 0
  for (const char of text) {
    if (char >= ' ' && char <= '~') quoted += 1
    else quoted += char === '\n' ? quote(char).length - quote('').length : escapeUnsafe(char).length
    if (quoted > partSize) break
    end += char.length
  }
  const lineEnd = text.lastIndexOf('\n', end - 1) + 1
  return lineEnd > end / 2 ? lineEnd : end
}

/** One part of a directive between lines that only this directive can have. */
export const renderPart = (directive: Directive, part: number): string => {
  const parts = partsOf(directive)
  const body = quote(parts[part - 1] ?? '')
  const { id, nonce, origin } = directive
  const tag = origin === undefined ? 'rein-directive' : 'rein-message'
  const about = describeSource(directive)
  const which = `part="${part}/${parts.length}"`
  return [
    `<${tag} id="${id}" ${about} ${which} nonce="${nonce}">`,
    body,
    `</${tag} id="${id}" ${which} nonce="${nonce}" length="${body.length}" sha256="${digest(body)}">`,
  ].join('\n')
}

/** The attributes that say where a directive comes from. */
const describeSource = ({ sender, from, type, priority, origin }: Directive): string => {
  if (origin === undefined) {
    const who = sender.kind === 'agent' ? `agent ${sender.handle}` : from
    return `from="${attribute(who)}" type="${type}" priority="${priority}"`
  }
  if ('channel' in origin) {
    // Channel, sender and time are what the endpoint says; the time that the sender claims is called that.
    const { channel, at, claimedAt } = origin
    const who = origin.sender === null ? '' : ` sender="${attribute(origin.sender)}"`
    const claimed = claimedAt === null ? '' : ` claimed="${isoTime(claimedAt)}"`
    return `channel="${attribute(channel)}"${who} at="${isoTime(at)}"${claimed}`
  }
  if (!('room' in origin)) return 'from="rein" type="notice"'
  // The name of a room is enough: its readers are in its project.
  const { room, n, author, at } = origin
  return `room="${attribute(splitRoomKey(room).name)}" post="${n}" from="${attribute(authorName(author))}" at="${isoTime(at)}"`
}

/** Who said it: the user, an agent, somebody outside, or Rein itself. */
export const authorName = (author: Actor): string => {
  if (author.kind === 'agent') return `agent ${author.handle}`
  if (author.kind === 'channel') return `channel ${author.name}${author.sender === null ? '' : ` ${author.sender}`}`
  return author.kind === 'user' ? personName : 'rein'
}

/** A claimed time may be any number. */
const isoTime = (at: number): string =>
  Math.abs(at) <= 8.64e15 ? new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z') : 'unknown'

const opening = /^<(rein-directive|rein-message) id="([^"\n]+)" [^\n]*part="(\d+)\/(\d+)" nonce="([^"\n]+)">$/
const closing =
  /^<\/(rein-directive|rein-message) id="([^"\n]+)" part="(\d+)\/(\d+)" nonce="([^"\n]+)" length="(\d+)" sha256="([0-9a-f]{32})">$/

/** The fences that stand in a text complete: opening line, untouched body, closing line. */
export const findFences = (text: string): FoundFence[] => {
  if (!text.includes('</rein-')) return []
  const lines = text.split('\n')
  const found: FoundFence[] = []
  let open: { key: string; line: number } | null = null
  for (const [index, line] of lines.entries()) {
    const start = opening.exec(line)
    if (start !== null) open = { key: start.slice(1).join(' '), line: index }
    const end = closing.exec(line)
    if (end === null) continue
    const [, tag = '', id = '', part = '', partCount = '', nonce = '', length = '', hash = ''] = end
    const body =
      open?.key === [tag, id, part, partCount, nonce].join(' ') ? lines.slice(open.line + 1, index).join('\n') : null
    if (body !== null && body.length === Number(length) && digest(body) === hash) {
      // A fence is kept longer than the text that it was found in.
      const [own, ownNonce, sha256] = [id, nonce, hash].map(copyText) as [string, string, string]
      found.push({ id: own, nonce: ownNonce, part: Number(part), partCount: Number(partCount), sha256 })
    }
    open = null
  }
  return found
}

/** A fence can be copied with another body and a hash to match: only the directive's own text makes it its fence. */
export const isFenceOf = (fence: FoundFence, directive: Directive): boolean => {
  const parts = partsOf(directive)
  return (
    fence.id === directive.id &&
    fence.nonce === directive.nonce &&
    fence.partCount === parts.length &&
    fence.sha256 === digest(quote(parts[fence.part - 1] ?? ''))
  )
}
