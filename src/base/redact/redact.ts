import { type FoundSecret, findSecrets, mergeSecrets } from './find.ts'

/** How many secrets of each kind there were. */
export type KindCounts = Record<string, number>

interface Redacted {
  text: string
  count: number
  kinds: KindCounts
  /** Where the secrets stood in the text as it was given. */
  secrets: readonly FoundSecret[]
}

/** A text without the secrets that Rein knows, and what there was. */
export const redact = (text: string): Redacted => {
  const secrets = findAll(text)
  return { text: takeOut(text, secrets), count: secrets.length, kinds: countKinds(secrets), secrets }
}

const mostRounds = 8

/** What is taken out may uncover another secret beside it, so one looks until there is nothing more to find. */
const findAll = (text: string): FoundSecret[] => {
  try {
    let secrets = findSecrets(text)
    for (let round = 0; secrets.length > 0; round++) {
      const more = findSecrets(takeOut(text, secrets))
      if (more.length === 0) break
      if (round === mostRounds) return [everything(text)]
      secrets = mergeSecrets([...secrets, ...backToOriginal(more, secrets)])
    }
    return secrets
  } catch {
    // A single secret of many megabytes exhausts the regular expressions: then nothing of the text gets through.
    return [everything(text)]
  }
}

const everything = (text: string): FoundSecret => ({ kind: 'oversized', start: 0, end: text.length })

const markOf = ({ kind }: FoundSecret): string => `[redacted:${kind}]`

const takeOut = (text: string, secrets: readonly FoundSecret[]): string => {
  if (secrets.length === 0) return text
  const before = secrets.map((secret, index) => text.slice(secrets[index - 1]?.end ?? 0, secret.start) + markOf(secret))
  return before.join('') + text.slice(secrets.at(-1)?.end)
}

/** Where something that was found between marks stands in the text without marks; half a mark counts as a whole one. */
const backToOriginal = (found: readonly FoundSecret[], taken: readonly FoundSecret[]): FoundSecret[] => {
  let next = 0
  let shift = 0
  const place = (at: number, edge: 'start' | 'end'): number => {
    for (let secret = taken[next]; secret !== undefined; secret = taken[++next]) {
      const markEnd = secret.start + shift + markOf(secret).length
      if (at <= secret.start + shift) break
      if (at < markEnd) return secret[edge]
      shift = markEnd - secret.end
    }
    return at - shift
  }
  return found.map(({ kind, start, end }) => ({ kind, start: place(start, 'start'), end: place(end, 'end') }))
}

const countKinds = (secrets: readonly FoundSecret[], counts: KindCounts = {}): KindCounts => {
  for (const { kind } of secrets) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

type Container = Record<string, unknown>

/** The same for every string inside a JSON value; what is not plain data stays as it is. */
export const redactDeep = (value: unknown): { value: unknown; count: number; kinds: KindCounts } => {
  const kinds: KindCounts = {}
  let count = 0
  const root: Container = { value }
  const copies = new Map<unknown, Container>()
  const open: Container[] = [root]
  // A list of open containers, not recursion: hostile JSON is nested deeper than the stack.
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const [key, item] of Object.entries(container)) {
      if (typeof item === 'string') {
        const clean = redactField(key, item)
        container[key] = clean.text
        count += clean.count
        countKinds(clean.secrets, kinds)
      } else if (isContainer(item)) {
        container[key] = copies.get(item) ?? openCopy(item, copies, open)
      }
    }
  }
  return { value: root['value'], count, kinds }
}

const openCopy = (item: Container, copies: Map<unknown, Container>, open: Container[]): Container => {
  const copy = (Array.isArray(item) ? [...item] : { ...item }) as Container
  copies.set(item, copy)
  open.push(copy)
  return copy
}

const secretField =
  /(?:password|passwd|passphrase|(?<![a-z])pw|secret|(?<!page_?|next_?|stop_|pad_)token|api_?key|access_?key|private_?key)$/i
const opaque = /^(?=\D*\d)[^\s]{6,}$/

/** A value may give itself away, or its name does. */
const redactField = (key: string, text: string): Redacted => {
  const clean = redact(text)
  if (clean.count > 0 || !secretField.test(key) || !opaque.test(text)) return clean
  const secrets = [{ kind: 'json-field', start: 0, end: text.length }]
  return { text: takeOut(text, secrets), count: 1, kinds: countKinds(secrets), secrets }
}

const isContainer = (item: unknown): item is Container => {
  if (Array.isArray(item)) return true
  if (typeof item !== 'object' || item === null) return false
  const prototype: unknown = Object.getPrototypeOf(item)
  return prototype === Object.prototype || prototype === null
}
