import type { CarriedFile } from '../../../drivers/contract.ts'
import { type KindCounts, redact, redactDeep } from '../../../base/redact/redact.ts'
import { isObject } from '../../../base/util/json.ts'

interface CountedSecret {
  entry: string
  kind: string
  count: number
}

/** Finds secrets in everything that is exported, and removes them if wanted. Only their kinds are kept. */
export class Cleaner {
  readonly isRedacting: boolean
  readonly #counts = new Map<string, KindCounts>()

  constructor(isRedacting: boolean) {
    this.isRedacting = isRedacting
  }

  get secrets(): CountedSecret[] {
    return [...this.#counts].flatMap(([entry, kinds]) =>
      Object.entries(kinds).map(([kind, count]) => ({ entry, kind, count })),
    )
  }

  text(entry: string, text: string): string {
    const clean = redact(text)
    this.#note(entry, clean.kinds)
    return this.isRedacting ? clean.text : text
  }

  /** Bytes of any encoding: all known patterns of secrets are ASCII. */
  bytes(entry: string, data: Buffer): Buffer {
    const text = data.toString('latin1')
    const clean = this.text(entry, text)
    return clean === text ? data : Buffer.from(clean, 'latin1')
  }

  value<T>(entry: string, value: T): T {
    const clean = redactDeep(value)
    this.#note(entry, clean.kinds)
    return this.isRedacting ? (clean.value as T) : value
  }

  file({ name, content }: CarriedFile, entry: string): CarriedFile {
    if (name.endsWith('.jsonl'))
      return {
        name,
        content: content
          .split('\n')
          .map((line) => this.#json(entry, line))
          .join('\n'),
      }
    return { name, content: name.endsWith('.json') ? this.#json(entry, content) : this.text(entry, content) }
  }

  /** Text without a secret stays as it is, byte for byte. */
  #json(entry: string, text: string): string {
    if (text === '') return text
    const before = this.#total(entry)
    const value = this.value(entry, this.#withoutKeys(entry, JSON.parse(text)))
    return this.#total(entry) === before || !this.isRedacting ? text : JSON.stringify(value)
  }

  /** The name of a field can be a secret, too. */
  #withoutKeys(entry: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#withoutKeys(entry, one))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [this.text(entry, key), this.#withoutKeys(entry, one)]),
    )
  }

  #total(entry: string): number {
    return Object.values(this.#counts.get(entry) ?? {}).reduce((sum, count) => sum + count, 0)
  }

  #note(entry: string, kinds: KindCounts): void {
    if (Object.keys(kinds).length === 0) return
    const counts = this.#counts.get(entry) ?? {}
    for (const [kind, count] of Object.entries(kinds)) counts[kind] = (counts[kind] ?? 0) + count
    this.#counts.set(entry, counts)
  }
}
