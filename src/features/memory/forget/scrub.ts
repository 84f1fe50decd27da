import { parseObject } from '../../../base/util/json.ts'

/** What stands in place of what was forgotten. */
export const forgottenMark = '[forgotten]'

/** A shorter command is a part of too many words: it counts only where it stands alone. */
const shortestPart = 6
const idNames = ['id', 'tool_use_id', 'toolCallId', 'call_id'] as const

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Takes commands of one agent out of what was written of it, in the order in which that was written. */
export class Scrubber {
  readonly #whole: ReadonlySet<string>
  readonly #parts: readonly string[]
  /** As JSON writes them: most texts need not be parsed. */
  readonly #hints: readonly string[]
  /** Of the calls that ran them, whose results are told by these. */
  readonly #calls = new Set<string>()
  readonly #clean: (text: string) => string

  /** `clean`: the commands are known without their secrets, but not everything was written without them. */
  constructor(commands: readonly string[], clean: (text: string) => string = (text) => text) {
    this.#whole = new Set(commands.map((command) => command.trim()))
    this.#parts = commands.filter(({ length }) => length >= shortestPart).toSorted((a, b) => b.length - a.length)
    this.#hints = commands.map((command) => JSON.stringify(command.trim()).slice(1, -1))
    this.#clean = commands.some((command) => command.includes('[redacted:')) ? clean : (text) => text
  }

  /** The JSON without them; null if it has none. */
  json(text: string): string | null {
    if (!this.#isHinted(text)) return null
    const value: unknown = JSON.parse(text)
    const scrubbed = JSON.stringify(this.#value(value))
    return scrubbed === JSON.stringify(value) ? null : scrubbed
  }

  /** Whether a line of what a CLI printed tells of one of them. */
  isInLine(line: string): boolean {
    const clean = this.#clean(line)
    if (!this.#isHinted(clean)) return false
    const object = parseObject(clean)
    return object === null ? this.#parts.some((part) => clean.includes(part)) : this.#isIn(object)
  }

  #isIn(object: Fields): boolean {
    const text = JSON.stringify(object)
    return JSON.stringify(this.#value(object)) !== text || [...this.#calls].some((id) => text.includes(`"${id}"`))
  }

  #isHinted(text: string): boolean {
    return this.#hints.some((hint) => text.includes(hint)) || [...this.#calls].some((id) => text.includes(id))
  }

  #value(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (Array.isArray(value)) return value.map((one) => this.#value(one))
    return isFields(value) ? this.#fields(value) : value
  }

  #text(text: string): string {
    if (this.#whole.has(text.trim())) return forgottenMark
    return this.#parts.reduce((rest, part) => rest.replaceAll(part, forgottenMark), text)
  }

  #fields(fields: Fields): Fields {
    const ids = idNames.map((name) => fields[name]).filter((id) => typeof id === 'string')
    if (fields['type'] === 'tool_result' && ids.some((id) => this.#calls.has(id))) return withoutResult(fields)
    const scrubbed = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, this.#value(value)]))
    if (fields['type'] === 'tool_use' && JSON.stringify(scrubbed) !== JSON.stringify(fields))
      for (const id of ids) this.#calls.add(id)
    return scrubbed
  }
}

const withoutResult = (fields: Fields): Fields => ({
  ...fields,
  ...('text' in fields ? { text: forgottenMark } : {}),
  ...('content' in fields ? { content: forgottenMark } : {}),
})
