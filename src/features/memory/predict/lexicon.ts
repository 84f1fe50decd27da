import type { ShellLine } from '../../../base/shell/line.ts'
import { hashText } from './hash.ts'
import { Names } from './names.ts'
import type { TemplateFacts } from './template-features.ts'
import { CHANGES, type Step } from './trail.ts'

/** What is known of a line beside its counts. */
export interface TextFacts {
  readonly template: number
  /** As it was written. */
  readonly source: string
  runs: number
  failures: number
  /** Number of the last command that was this line. */
  lastAt: number
}

const MOST_TEMPLATES = 60_000
const MOST_TEXTS = 150_000
/** Longer lines are known by their template only. */
const LONGEST_TEXT = 4000

/** All templates and lines that are known, with numbers for them. */
export class Lexicon {
  readonly templates = new Names<TemplateFacts>(MOST_TEMPLATES)
  readonly texts = new Names<TextFacts>(MOST_TEXTS)
  /** How many commands there were. */
  now = 0

  /** Takes in one command that was run. */
  add(source: string, line: ShellLine, failed: boolean): Step {
    this.now++
    const stub = hashText(line.stub)
    const program = hashText(line.program)
    const template = this.templates.number(line.template, () => ({
      stub,
      program,
      slots: line.slots.length,
      changes: CHANGES.test(line.template),
      runs: 0,
      failures: 0,
      lastAt: this.now,
    }))
    this.#count(this.templates.value(template), failed)
    const text = this.#addText(source, line, template, failed)
    return { template, text, shapeKey: hashText(line.template), textKey: hashText(line.text), stub, program, failed }
  }

  #addText(source: string, line: ShellLine, template: number, failed: boolean): number {
    if (source.length > LONGEST_TEXT) return 0
    const number = this.texts.number(line.text, () => ({ template, source, runs: 0, failures: 0, lastAt: this.now }))
    this.#count(this.texts.value(number), failed)
    return number
  }

  #count(facts: TemplateFacts | TextFacts | undefined, failed: boolean): void {
    if (facts === undefined) return
    facts.runs++
    facts.failures += failed ? 1 : 0
    facts.lastAt = this.now
  }
}
