import { Counts, PLACE } from './counts.ts'
import { TEXT_EXPERTS } from './experts.ts'
import type { Situation } from './situation.ts'
import { mix } from './hash.ts'
import { figureOf, Panel, PER_EXPERT } from './panel.ts'
import { Ranker } from './ranker.ts'
import { describeNoText, describeText, TEXT_EXTRAS, type TextCandidate } from './text-features.ts'

export const MOST_TEXTS = 112
const SHAPE_CONTEXTS = 5
const SHAPES_AT = TEXT_EXPERTS.length * PER_EXPERT
const EXTRAS_AT = SHAPES_AT + SHAPE_CONTEXTS * PER_EXPERT
export const TEXT_FEATURES = EXTRAS_AT + TEXT_EXTRAS
export const TEXT_HIDDEN = 32

export const textRanker = (weights: Float32Array): Ranker =>
  new Ranker(TEXT_FEATURES, TEXT_HIDDEN, weights, MOST_TEXTS + 1)

/** Candidates with their features and probabilities; row 0 of both is "something else". */
export interface TextRanking {
  readonly candidates: readonly TextCandidate[]
  readonly matrix: Float32Array
  readonly probabilities: Float32Array
}

/** Which line exactly comes next. */
export class TextStage {
  readonly panel = new Panel({
    experts: TEXT_EXPERTS,
    width: 8,
    mostRows: 2 ** 17,
    wideRows: 2 ** 12,
    mostCandidates: 56,
  })
  /** Which lines a template stood for. */
  readonly lines = new Counts({ width: 12, mostRows: 2 ** 17, keep: 0.75 })

  learn(situation: Situation, template: number, text: number): void {
    this.panel.learn(situation, text)
    for (const key of shapeKeys(situation, template)) this.lines.add(key, text)
  }

  /** Lines of a template, the most used and most recent first. */
  linesOf(situation: Situation, template: number, most: number): number[] {
    const found = new Map<number, number>()
    for (const key of shapeKeys(situation, template)) this.#addLines(this.lines.find(key), found)
    const ranked = [...found].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    return ranked.slice(0, most).map(([symbol]) => symbol)
  }

  /** Lines of a template that this project is known to have run, with how often. */
  runsHere(situation: Situation, template: number): Map<number, number> {
    const runs = new Map<number, number>()
    const [key = 0] = shapeKeys(situation, template)
    this.#eachLine(this.lines.find(key), (line, place) => runs.set(line, this.lines.count(place)))
    return runs
  }

  #addLines(row: number, found: Map<number, number>): void {
    this.#eachLine(row, (line, place) => {
      const worth = this.lines.count(place) / this.lines.total(row) + 2 * this.lines.recent(place)
      found.set(line, (found.get(line) ?? 0) + worth)
    })
  }

  #eachLine(row: number, see: (line: number, place: number) => void): void {
    if (row < 0) return
    const end = this.lines.end(row)
    for (let place = this.lines.firstPlace(row); place < end && this.lines.count(place) > 0; place += PLACE)
      see(this.lines.symbol(place), place)
  }

  /** `newShape` is how likely a template is that none of the candidates has. */
  rank(
    ranker: Ranker,
    situation: Situation,
    rows: Int32Array,
    candidates: readonly TextCandidate[],
    newShape: number,
  ): TextRanking {
    const matrix = new Float32Array((candidates.length + 1) * TEXT_FEATURES)
    const numbers = candidates.map(({ number }) => number)
    this.panel.fill(rows, numbers, matrix, TEXT_FEATURES, 0)
    describeNoText(situation, newShape, matrix, EXTRAS_AT)
    for (const [index, candidate] of candidates.entries()) {
      const at = (index + 1) * TEXT_FEATURES
      this.#describeShape(situation, candidate, matrix, at + SHAPES_AT)
      describeText(situation, candidate, matrix, at + EXTRAS_AT)
    }
    const probabilities = new Float32Array(candidates.length + 1)
    ranker.probabilities(matrix, probabilities)
    return { candidates, matrix, probabilities }
  }

  #describeShape(situation: Situation, candidate: TextCandidate, matrix: Float32Array, start: number): void {
    for (const [index, key] of shapeKeys(situation, candidate.template).entries()) {
      const at = start + index * PER_EXPERT
      const row = this.lines.find(key)
      const place = candidate.number === 0 ? -1 : this.lines.place(row, candidate.number)
      matrix[at] = figureOf(this.lines.count(place), this.lines.total(row))
      matrix[at + 1] = this.lines.recent(place)
    }
  }
}

/** What a line of a template is chosen by: the project, the session, the line before, the directory, the kind of agent. */
function shapeKeys({ project, trail, cwd, kind }: Situation, template: number): number[] {
  const shape = mix(template, 99)
  const here = mix(shape, project)
  return [
    mix(here, 1),
    mix(mix(shape, trail.id), 2),
    mix(mix(here, trail.step(0)?.textKey ?? 0), 3),
    mix(mix(here, cwd), 4),
    mix(mix(shape, kind), 5),
  ]
}
