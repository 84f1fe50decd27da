import type { ShellLine } from '../../../base/shell/line.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import { Counts } from './counts.ts'
import { textExperts } from './experts.ts'
import { mix } from './hash.ts'
import { Panel, perExpert, rankByWorth, scaleCount } from './panel.ts'
import { Ranker } from './ranker.ts'
import type { Situation } from './situation.ts'

export const mostTexts = 112
const shapeContexts = 5
const shapesAt = textExperts.length * perExpert
const extrasAt = shapesAt + shapeContexts * perExpert
export const textFeatures = extrasAt + 38
export const textHidden = 32

export const makeTextRanker = (weights: Float32Array): Ranker =>
  new Ranker(textFeatures, textHidden, weights, mostTexts + 1)

/** A whole line that may come next. */
export interface TextCandidate {
  /** As it is to be run. */
  readonly source: string
  readonly line: ShellLine
  /** 0 for a line that was never run. */
  readonly number: number
  readonly template: number
  readonly stub: number
  /** The probability of its template, and its rank among templates. */
  readonly likely: number
  readonly rank: number
  readonly runs: number
  readonly failures: number
  /** Commands since it was last run. */
  readonly idle: number
}

/** Candidates with their features and probabilities; row 0 of both is "something else". */
export interface TextRanking {
  readonly candidates: readonly TextCandidate[]
  readonly matrix: Float32Array
  readonly probabilities: Float32Array
}

/** Predicts the exact next line. */
export class TextStage {
  readonly panel = new Panel({ experts: textExperts, width: 8, mostRows: 2 ** 17, mostCandidates: 56 })
  /** The lines of each template. */
  readonly lines = new Counts({ width: 12, mostRows: 2 ** 17, keep: 0.75 })

  learn(situation: Situation, template: number, text: number): void {
    this.panel.learn(situation, text)
    for (const key of shapeKeys(situation, template)) this.lines.add(key, text)
  }

  /** Lines of a template, the most used and most recent first. */
  findLines(situation: Situation, template: number, most: number): number[] {
    const found = new Map<number, number>()
    for (const key of shapeKeys(situation, template)) {
      const row = this.lines.find(key)
      this.lines.each(row, (line, count, recent) =>
        found.set(line, (found.get(line) ?? 0) + (count / this.lines.total(row) + 2 * recent)),
      )
    }
    return rankByWorth(found, most)
  }

  /** Lines of a template that this project has run, with how often. */
  countRunsHere(situation: Situation, template: number): Map<number, number> {
    const runs = new Map<number, number>()
    const [key = 0] = shapeKeys(situation, template)
    this.lines.each(this.lines.find(key), (line, count) => runs.set(line, count))
    return runs
  }

  /** `newShape` is the probability that the next command has a template that no candidate has. */
  rank(
    ranker: Ranker,
    situation: Situation,
    rows: Int32Array,
    candidates: readonly TextCandidate[],
    newShape: number,
  ): TextRanking {
    const matrix = new Float32Array((candidates.length + 1) * textFeatures)
    const numbers = candidates.map(({ number }) => number)
    this.panel.fill(rows, numbers, matrix, textFeatures, 0)
    // The features of "something else". The places are part of the trained weights, here and below.
    matrix[extrasAt] = 1
    matrix[extrasAt + 1] = newShape
    matrix[extrasAt + 2] = 1 / (1 + situation.trail.now.position)
    matrix[extrasAt + 3] = situation.failed
    for (const [index, candidate] of candidates.entries()) {
      const start = (index + 1) * textFeatures
      for (const [context, key] of shapeKeys(situation, candidate.template).entries()) {
        const at = start + shapesAt + context * perExpert
        const row = this.lines.find(key)
        const place = candidate.number === 0 ? -1 : this.lines.place(row, candidate.number)
        matrix[at] = scaleCount(this.lines.count(place), this.lines.total(row))
        matrix[at + 1] = this.lines.recent(place)
      }
      describeText(situation, candidate, matrix, start + extrasAt)
    }
    const probabilities = new Float32Array(candidates.length + 1)
    ranker.probabilities(matrix, probabilities)
    return { candidates, matrix, probabilities }
  }
}

/** What a line of a template is chosen by: project, session, previous line, directory, kind of agent. */
const shapeKeys = ({ project, trail, cwd, kind }: Situation, template: number): number[] => {
  const shape = mix(template, 99)
  const here = mix(shape, project)
  return [
    mix(here, 1),
    mix(mix(shape, trail.id), 2),
    mix(mix(here, trail.steps[0]?.textKey ?? 0), 3),
    mix(mix(here, cwd), 4),
    mix(mix(shape, kind), 5),
  ]
}

const compareWords = (one: string | undefined, other: string): number =>
  one === undefined ? 0 : one === other ? 1 : -1

function describeText(
  { trail, failed, edited }: Situation,
  { number, likely, rank, source, runs, failures, idle, line, template, stub }: TextCandidate,
  matrix: Float32Array,
  at: number,
): void {
  const { position } = trail.now
  const isSame = trail.steps[0]?.text === number
  matrix[at + 4] = Math.log(likely + 1e-4) / 3
  matrix[at + 5] = likely
  matrix[at + 6] = 1 / (1 + rank)
  matrix[at + 7] = Number(number === 0)
  matrix[at + 10] = Number(isSame)
  matrix[at + 11] = isSame ? failed : 0
  matrix[at + 12] = Number(trail.now.broken?.text === number)
  matrix[at + 15] = Math.min(source.length, 200) / 200
  matrix[at + 24] = Math.log1p(runs) / 5
  matrix[at + 25] = failures / (runs + 2)
  matrix[at + 26] = Math.log1p(idle) / 8
  // When it last ran in this session, and whether anything changed since.
  const run = trail.texts.get(number)
  if (run !== undefined && number !== 0) {
    const away = position - run.at
    const isChanged = trail.now.changes + edited.length > run.changes
    matrix[at + 8] = 1
    matrix[at + 9] = 1 / (1 + away)
    matrix[at + 13] = Number(away === 1)
    matrix[at + 14] = Number(away === 2)
    matrix[at + 27] = Number(isChanged)
    matrix[at + 28] = Number(run.failed)
    matrix[at + 29] = Number(isChanged && run.failed)
    matrix[at + 30] = Number(away > 2 && away < 6)
  }
  // How recently the changing words of the line were used in this session.
  const { slots } = line
  const count = slots.length
  const ages = slots.flatMap(({ text }) => {
    const word = trail.words.get(text)
    return word === undefined ? [] : [position - word.at]
  })
  const fresh = ages.filter((age) => age <= 1).length
  const isTouched = slots.some(
    ({ text }) => text.length > 3 && edited.some((file) => file.endsWith(text) || text.endsWith(file)),
  )
  matrix[at + 16] = Number(count === 0)
  matrix[at + 17] = Math.min(count, 4) / 4
  matrix[at + 18] = count === 0 ? 0 : ages.length / count
  matrix[at + 19] = ages.length === 0 ? 0 : 1 / (1 + Math.min(...ages))
  matrix[at + 20] = count === 0 ? 0 : fresh / count
  matrix[at + 21] = Number(isTouched)
  matrix[at + 22] = Number(count > 0 && ages.length === count)
  matrix[at + 23] = Number(count > 0 && fresh === count)
  // Whether the line is trimmed like others of this session.
  const { before, after } = trimming(line.text)
  const byStub = trail.trimOf.get(stub)
  const trims = trail.trims.length + 1
  matrix[at + 31] = trail.trims.filter((trim) => trim.after === after).length / trims
  matrix[at + 32] = trail.trims.filter((trim) => trim.before === before).length / trims
  matrix[at + 33] = Number(trail.trims[0]?.after === after)
  matrix[at + 34] = compareWords(trail.trimOf.get(template)?.after, after)
  matrix[at + 35] = compareWords(byStub?.after, after)
  matrix[at + 36] = compareWords(byStub?.before, before)
  matrix[at + 37] = Number(after === '')
}
