import { type SecretPattern, secretPatterns } from './patterns.ts'

interface Redacted {
  text: string
  count: number
}

/** A text without the secrets that Rein knows, and how many there were. */
export const redact = (text: string): Redacted => {
  let total = 0
  let pass = replaceSecrets(text)
  // What is found may uncover another one beside it; a mark is never found again, so this ends.
  for (; pass.count > 0; pass = replaceSecrets(pass.text)) total += pass.count
  return { text: pass.text, count: total }
}

/** All kinds in one look, those that ignore case apart: most texts hold no secret, and then that is all. */
const anySecret = ['g', 'gi'].map((flags) => {
  const same = secretPatterns.filter(({ pattern }) => pattern.flags === flags)
  return new RegExp(same.map(({ pattern }) => pattern.source).join('|'), flags.slice(1))
})

const replaceSecrets = (text: string): Redacted => {
  try {
    if (!anySecret.some((pattern) => pattern.test(text))) return { text, count: 0 }
    return secretPatterns.reduce(replaceKind, { text, count: 0 })
  } catch {
    // A single secret of many megabytes exhausts the regular expressions: then nothing of the text gets through.
    return { text: '[redacted:oversized]', count: 1 }
  }
}

const replaceKind = (found: Redacted, { name, pattern }: SecretPattern): Redacted => {
  let { count } = found
  const text = found.text.replace(pattern, (_secret, before: unknown) => {
    count += 1
    return `${typeof before === 'string' ? before : ''}[redacted:${name}]`
  })
  return { text, count }
}

type Container = Record<string, unknown>

/** The same for every string inside a JSON value; what is not plain data stays as it is. */
export const redactDeep = (value: unknown): { value: unknown; count: number } => {
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
      } else if (isContainer(item)) {
        container[key] = copies.get(item) ?? openCopy(item, copies, open)
      }
    }
  }
  return { value: root['value'], count }
}

const openCopy = (item: Container, copies: Map<unknown, Container>, open: Container[]): Container => {
  const copy = (Array.isArray(item) ? [...item] : { ...item }) as Container
  copies.set(item, copy)
  open.push(copy)
  return copy
}

const secretField = /(?:password|passwd|secret|token|api_?key|access_?key|private_?key)$/i
const opaque = /^(?=\D*\d)[^\s]{6,}$/

/** A value may give itself away, or its name does. */
const redactField = (key: string, text: string): Redacted => {
  const clean = redact(text)
  if (clean.count > 0 || !secretField.test(key) || !opaque.test(text)) return clean
  return { text: '[redacted:json-field]', count: 1 }
}

const isContainer = (item: unknown): item is Container => {
  if (Array.isArray(item)) return true
  if (typeof item !== 'object' || item === null) return false
  const prototype: unknown = Object.getPrototypeOf(item)
  return prototype === Object.prototype || prototype === null
}
