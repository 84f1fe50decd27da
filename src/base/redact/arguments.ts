import { looksSecret } from './look.ts'
import type { CommandKind } from './secret-kind.ts'

interface Span {
  start: number
  end: number
}

/** One word of a command: what stands before a quote, and what stands inside it. */
interface Word {
  bare: Span
  quoted: Span | undefined
  end: number
}

const gap = /(?:[ \t]|\\\r?\n)+/y
const bareSigns = /[^\s"'\\;&|<>()\x60]*/y
const closings: Record<string, RegExp> = {
  '"': /(?:[^"\\\r\n]|\\.)*/y,
  "'": /[^'\r\n]*/y,
  '\\"': /[^"\\\r\n]*/y,
  "\\'": /[^'\\\r\n]*/y,
}

const lengthAt = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

/** A quote that something follows opens a part of this word; any other one closes what is around the command. */
const quoteAt = (text: string, at: number): string => {
  const quote = text[at] === '\\' ? text.slice(at, at + 2) : (text[at] ?? '')
  return closings[quote] === undefined || /^(?:[\s;,)\]}]|$)/.test(text.slice(at + quote.length, at + quote.length + 1))
    ? ''
    : quote
}

const wordAt = (text: string, at: number): Word | undefined => {
  const bareEnd = at + lengthAt(bareSigns, text, at)
  const quote = quoteAt(text, bareEnd)
  const inside = closings[quote]
  const bare = { start: at, end: bareEnd }
  if (inside === undefined) return bareEnd === at ? undefined : { bare, quoted: undefined, end: bareEnd }
  const start = bareEnd + quote.length
  const end = start + lengthAt(inside, text, start)
  return { bare, quoted: { start, end }, end: Math.min(end + quote.length, text.length) }
}

/** The words after a program, up to the end of its command. */
const wordsFrom = function* (text: string, from: number): Generator<Word> {
  for (let at = from; ; ) {
    const space = lengthAt(gap, text, at)
    const word = space === 0 ? undefined : wordAt(text, at + space)
    if (word === undefined) return
    yield word
    at = word.end
  }
}

const isFlag = (word: string): boolean => /^-{1,2}[A-Za-z]/.test(word)

/** The value in a word, without what it is joined to. */
const valueOf = ({ bare, quoted }: Word, skip: number): Span | undefined => {
  if (bare.start + skip < bare.end) return { start: bare.start + skip, end: bare.end }
  return quoted
}

/** Reads the arguments of one command with the eyes of one kind. */
export class ArgumentReader {
  private readonly subcommands: readonly string[]
  private readonly lastIf: RegExp | undefined

  constructor(
    private readonly kind: CommandKind,
    command: string,
  ) {
    this.subcommands = command.split(' ').slice(1)
    this.lastIf = kind.lastIf === undefined ? undefined : new RegExp(String.raw`^-\w*${kind.lastIf}`)
  }

  /** Tells the secrets of the command whose program ends here, and where it ends itself. */
  read(text: string, from: number, found: (span: Span) => void): number {
    const { kind } = this
    const wanted = [...this.subcommands]
    const places: Word[] = []
    let end = from
    let awaited = false
    let skipped = false
    let given = false
    for (const word of wordsFrom(text, from)) {
      end = word.end
      const plain = text.slice(word.bare.start, Math.min(word.bare.end, word.bare.start + 80))
      if (wanted.length > 0) {
        if (plain === wanted[0]) wanted.shift()
        else if (!isFlag(plain) && places.push(word) > 3) return end
        if (wanted.length === 0) places.length = 0
      } else if (skipped) skipped = false
      else if (awaited) {
        awaited = false
        this.tell(text, valueOf(word, 0), word, found)
      } else if (word.quoted === undefined && this.isAwaiting(plain)) awaited = true
      else if (this.joint(plain) > 0) this.tell(text, valueOf(word, this.joint(plain)), word, found)
      else if (kind.others?.includes(plain)) skipped = true
      else if (isFlag(plain)) given ||= this.lastIf?.test(plain) ?? false
      else if (places.push(word) && (kind.position === -1 || kind.position === places.length - 1))
        this.tell(text, valueOf(word, 0), word, found)
    }
    const last = places.at(-1)
    if (given && last !== undefined && places.length > 1) this.tell(text, valueOf(last, 0), last, found)
    return end
  }

  /** A short flag may stand at the end of several: `-sku`. */
  private isAwaiting(word: string): boolean {
    const { next = [] } = this.kind
    return next.includes(word) || (/^-[A-Za-z]{2,5}$/.test(word) && next.includes(`-${word.at(-1)}`))
  }

  /** How many signs of the word come before the secret that it is joined to. */
  private joint(word: string): number {
    const { next = [], joined = [] } = this.kind
    const long = next.find((flag) => word.startsWith(`${flag}=`))
    if (long !== undefined) return long.length + 1
    return joined.find((flag) => word.startsWith(flag) && !word.startsWith('--'))?.length ?? 0
  }

  private tell(text: string, value: Span | undefined, word: Word, found: (span: Span) => void): void {
    const span = value === undefined ? undefined : this.part(text, value, word)
    if (span === undefined || span.end - span.start < 3) return
    if (looksSecret(text.slice(span.start, span.end), this.kind.look ?? 'any', text[span.end] ?? '')) found(span)
  }

  /** What is secret of `user:password` and the like. */
  private part(text: string, value: Span, word: Word): Span | undefined {
    const { after, only, until } = this.kind
    const inside = text.slice(value.start, value.end)
    if (only?.test(inside) === false) return undefined
    const sign = after === undefined ? -1 : inside.indexOf(after)
    if (after !== undefined && sign < (after === '/' ? 1 : 0)) return undefined
    const start = value.start + sign + 1
    if (start === value.end && word.quoted !== undefined && value.end < word.quoted.start) return word.quoted
    const stop = until === undefined ? -1 : text.slice(start, value.end).indexOf(until)
    return { start, end: stop < 0 ? value.end : start + stop }
  }
}
