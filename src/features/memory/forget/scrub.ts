import { isObject, parseObject } from '../../../base/util/json.ts'

/** Replaces what was forgotten. */
export const forgottenMark = '[forgotten]'

/** A shorter command is a part of too many words: it counts only where it stands alone. */
const shortestPart = 6
const idNames = ['id', 'tool_use_id', 'toolCallId', 'call_id'] as const

/** Removes commands of one agent from everything written about it, in the order in which that was written. */
export class Scrubber {
  readonly #whole: ReadonlySet<string>
  readonly #parts: readonly string[]
  /** As JSON writes them: most texts need not be parsed. */
  readonly #hints: readonly string[]
  /** Ids of the calls that ran them: their results go, too. */
  readonly #calls = new Set<string>()
  readonly #clean: (text: string) => string

  /** `clean`: the commands are known without their secrets, but not everything was written without them. */
  constructor(commands: readonly string[], clean: (text: string) => string = (text) => text) {
    this.#whole = new Set(commands.map((command) => command.trim()))
    this.#parts = commands.filter(({ length }) => length >= shortestPart).toSorted((a, b) => b.length - a.length)
    this.#hints = commands.map((command) => JSON.stringify(command.trim()).slice(1, -1))
    this.#clean = commands.some((command) => command.includes('[redacted:')) ? clean : (text) => text
  }

  /** The JSON without the commands; null if it has none. */
  json(text: string): string | null {
    if (!this.#isHinted(text)) return null
    const value: unknown = JSON.parse(text)
    const scrubbed = JSON.stringify(this.#scrub(value))
    return scrubbed === JSON.stringify(value) ? null : scrubbed
  }

  /** Whether a line that a CLI printed contains one of the commands. */
  isInLine(line: string): boolean {
    const clean = this.#clean(line)
    if (!this.#isHinted(clean)) return false
    const object = parseObject(clean)
    if (object === null) return this.#parts.some((part) => clean.includes(part))
    const text = JSON.stringify(object)
    return JSON.stringify(this.#scrub(object)) !== text || [...this.#calls].some((id) => text.includes(`"${id}"`))
  }

  #isHinted(text: string): boolean {
    return this.#hints.some((hint) => text.includes(hint)) || [...this.#calls].some((id) => text.includes(id))
  }

  #scrub(value: unknown): unknown {
    if (typeof value === 'string') {
      if (this.#whole.has(value.trim())) return forgottenMark
      return this.#parts.reduce((rest, part) => rest.replaceAll(part, forgottenMark), value)
    }
    if (Array.isArray(value)) return value.map((one) => this.#scrub(one))
    if (!isObject(value)) return value
    const ids = idNames.map((name) => value[name]).filter((id) => typeof id === 'string')
    if (value['type'] === 'tool_result' && ids.some((id) => this.#calls.has(id)))
      return {
        ...value,
        ...('text' in value ? { text: forgottenMark } : {}),
        ...('content' in value ? { content: forgottenMark } : {}),
      }
    const scrubbed = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#scrub(one)]))
    if (value['type'] === 'tool_use' && JSON.stringify(scrubbed) !== JSON.stringify(value))
      for (const id of ids) this.#calls.add(id)
    return scrubbed
  }
}
