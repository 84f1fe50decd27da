import type { ShellLine } from '../../../base/shell/line.ts'
import { hashText } from './hash.ts'
import { changesFiles, type Step } from './trail.ts'

interface Usage {
  runs: number
  failures: number
  /** Number of the last command that was this line, or had this template. */
  lastAt: number
}

/** What is known about a template besides its counts. */
export interface TemplateFacts extends Usage {
  readonly stub: number
  readonly program: number
  readonly slots: number
  /** Whether it changes files by itself. */
  readonly changes: boolean
}

/** What is known about a line besides its counts. */
interface TextFacts extends Usage {
  readonly template: number
  /** As it was written. */
  readonly source: string
}

const mostTemplates = 60_000
const mostTexts = 150_000
/** Longer lines are known by their template only. */
const longestText = 4000

/** All known templates and lines, numbered. */
export class Lexicon {
  readonly templates = new Names<TemplateFacts>(mostTemplates)
  readonly texts = new Names<TextFacts>(mostTexts)
  /** How many commands there were. */
  now = 0

  add(source: string, line: ShellLine, failed: boolean): Step {
    this.now++
    const stub = hashText(line.stub)
    const program = hashText(line.program)
    const unused = { runs: 0, failures: 0, lastAt: this.now }
    const template = this.templates.number(line.template, () => ({
      stub,
      program,
      slots: line.slots.length,
      changes: changesFiles.test(line.template),
      ...unused,
    }))
    this.#count(this.templates.value(template), failed)
    const text = source.length > longestText ? 0 : this.texts.number(line.text, () => ({ template, source, ...unused }))
    this.#count(this.texts.value(text), failed)
    return { template, text, shapeKey: hashText(line.template), textKey: hashText(line.text), stub, program, failed }
  }

  #count(facts: Usage | undefined, failed: boolean): void {
    if (facts === undefined) return
    facts.runs++
    facts.failures += failed ? 1 : 0
    facts.lastAt = this.now
  }
}

interface SavedNames<Value> {
  readonly next: number
  readonly fresh: readonly (readonly [number, string, Value])[]
  readonly old: readonly (readonly [number, string, Value])[]
}

/** Numbers for the most recently used texts; a number is never reused. */
export class Names<Value> {
  readonly #most: number
  #next = 1
  /** Two generations: when the fresh one is full, the old one is dropped. */
  #fresh = new Map<string, number>()
  #old = new Map<string, number>()
  readonly #values = new Map<number, Value>()

  constructor(most: number) {
    this.#most = most
  }

  /** The number of a text, which becomes the most recently used. */
  number(text: string, makeValue: () => Value): number {
    const fresh = this.#fresh.get(text)
    if (fresh !== undefined) return fresh
    const old = this.#old.get(text)
    const number = old ?? this.#next++
    if (old === undefined) this.#values.set(number, makeValue())
    this.#fresh.set(text, number)
    if (this.#fresh.size >= this.#most / 2) {
      for (const [dropped, name] of this.#old) if (!this.#fresh.has(dropped)) this.#values.delete(name)
      this.#old = this.#fresh
      this.#fresh = new Map()
    }
    return number
  }

  find(text: string): number | undefined {
    return this.#fresh.get(text) ?? this.#old.get(text)
  }

  value(number: number): Value | undefined {
    return this.#values.get(number)
  }

  save(): SavedNames<Value> {
    const list = (texts: ReadonlyMap<string, number>): [number, string, Value][] =>
      [...texts].flatMap(([text, number]) => {
        const value = this.value(number)
        return value === undefined ? [] : [[number, text, value]]
      })
    return { next: this.#next, fresh: list(this.#fresh), old: list(this.#old) }
  }

  load({ next, fresh, old }: SavedNames<Value>): void {
    this.#next = next
    this.#fresh = new Map(fresh.map(([number, text]) => [text, number]))
    this.#old = new Map(old.map(([number, text]) => [text, number]))
    for (const [number, , value] of [...old, ...fresh]) this.#values.set(number, value)
  }
}
