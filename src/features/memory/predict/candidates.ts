import type { LineCache } from '../../../base/shell/line-cache.ts'
import type { ShellLine } from '../../../base/shell/line.ts'
import { normalise } from '../../../base/shell/normalise.ts'
import type { Situation } from './situation.ts'
import { fills, restyled } from './fill.ts'
import { hashText } from './hash.ts'
import type { Lexicon } from './lexicon.ts'
import type { TemplateRanking } from './template-stage.ts'
import type { TextCandidate } from './text-features.ts'
import { MOST_TEXTS, type TextStage } from './text-stage.ts'

const SHAPES = 12
const SHAPES_FILLED = 8
const LINES_OF_FIRST = 6
const LINES_OF_OTHERS = 3
const FIRST_SHAPES = 4
const LINES_FILLED = 2
const NEVER = 1e6

interface Shape {
  readonly likely: number
  readonly rank: number
}

/** Collects the lines that may come next: known ones, and known ones with words of this session. */
export class CandidateList {
  readonly #found = new Map<string, TextCandidate>()
  readonly #shapes: ReadonlyMap<number, Shape>
  readonly #lexicon: Lexicon
  readonly #lines: LineCache

  constructor(lexicon: Lexicon, lines: LineCache, ranking: TemplateRanking) {
    this.#lexicon = lexicon
    this.#lines = lines
    this.#shapes = shapesOf(ranking)
  }

  collect(stage: TextStage, situation: Situation, rows: Int32Array): TextCandidate[] {
    for (const number of stage.panel.candidates(rows)) this.#addKnown(number)
    for (const file of situation.edited) situation.trail.mention(file, 'path')
    const shapes = [...this.#shapes].slice(0, SHAPES).map(([template, { rank }]) => ({
      rank,
      lines: stage.linesOf(situation, template, rank < FIRST_SHAPES ? LINES_OF_FIRST : LINES_OF_OTHERS),
    }))
    // Each likely shape has a line before any has many.
    for (const { lines } of shapes) for (const number of lines.slice(0, 1)) this.#addKnown(number)
    for (const { rank, lines } of shapes) {
      for (const number of lines) this.#addKnown(number)
      if (rank < SHAPES_FILLED) for (const number of lines.slice(0, LINES_FILLED)) this.#addFilled(number, situation)
    }
    return [...this.#found.values()]
  }

  #isFull(): boolean {
    return this.#found.size >= MOST_TEXTS
  }

  #addKnown(number: number): void {
    const facts = this.#isFull() ? undefined : this.#lexicon.texts.value(number)
    if (facts !== undefined) this.#add(facts.source, this.#lines.read(facts.source), number, facts.template)
  }

  #addFilled(number: number, { trail }: Situation): void {
    const facts = this.#lexicon.texts.value(number)
    if (facts === undefined) return
    const line = this.#lines.read(facts.source)
    for (const source of [...restyled(line, facts.template, trail), ...fills(facts.source, line, trail)]) {
      if (this.#isFull() || this.#found.has(normalise(source))) continue
      const filled = this.#lines.read(source)
      const known = this.#lexicon.texts.find(filled.text) ?? 0
      if (filled.template === line.template) this.#add(source, filled, known, facts.template)
    }
  }

  #add(source: string, line: ShellLine, number: number, template: number): void {
    if (this.#isFull() || this.#found.has(line.text)) return
    const facts = this.#lexicon.texts.value(number)
    const shape = this.#shapes.get(template)
    this.#found.set(line.text, {
      source,
      line,
      number,
      template,
      stub: hashText(line.stub),
      likely: shape?.likely ?? 0,
      rank: shape?.rank ?? this.#shapes.size,
      runs: facts?.runs ?? 0,
      failures: facts?.failures ?? 0,
      idle: facts === undefined ? NEVER : this.#lexicon.now - facts.lastAt,
    })
  }
}

/** Templates with their probabilities, the likeliest first. */
function shapesOf({ symbols, probabilities }: TemplateRanking): Map<number, Shape> {
  const likely = symbols.map((symbol, index) => ({ symbol, likely: probabilities[index + 1] ?? 0 }))
  const sorted = likely.toSorted((a, b) => b.likely - a.likely)
  return new Map(sorted.map((shape, rank) => [shape.symbol, { likely: shape.likely, rank }]))
}
