import type { ShellLine } from '../../../base/shell/line.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import type { Situation } from './situation.ts'
import type { Trail } from './trail.ts'

/** A whole line that may come next. */
export interface TextCandidate {
  /** As it is to be run. */
  readonly source: string
  readonly line: ShellLine
  /** 0 for a line that was never run. */
  readonly number: number
  readonly template: number
  readonly stub: number
  /** How likely its template is, and its rank among templates. */
  readonly likely: number
  readonly rank: number
  readonly runs: number
  readonly failures: number
  /** Commands since it was last run. */
  readonly idle: number
}

export const TEXT_EXTRAS = 38

const flag = (value: boolean | undefined): number => (value === true ? 1 : 0)
const agrees = (one: string | undefined, other: string): number => (one === undefined ? 0 : one === other ? 1 : -1)

/** The features of "something else". The places are part of the learnt weights, here and below. */
export function describeNoText({ trail }: Situation, newShape: number, matrix: Float32Array, at: number): void {
  matrix[at] = 1
  matrix[at + 1] = newShape
  matrix[at + 2] = 1 / (1 + trail.now.position)
  matrix[at + 3] = flag(trail.step(0)?.failed)
}

export function describeText(situation: Situation, candidate: TextCandidate, matrix: Float32Array, at: number): void {
  const { trail } = situation
  const last = trail.step(0)
  const same = last?.text === candidate.number
  matrix[at + 4] = Math.log(candidate.likely + 1e-4) / 3
  matrix[at + 5] = candidate.likely
  matrix[at + 6] = 1 / (1 + candidate.rank)
  matrix[at + 7] = flag(candidate.number === 0)
  matrix[at + 10] = flag(same)
  matrix[at + 11] = flag(same && last?.failed)
  matrix[at + 12] = flag(trail.now.broken?.text === candidate.number)
  matrix[at + 15] = Math.min(candidate.source.length, 200) / 200
  matrix[at + 24] = Math.log1p(candidate.runs) / 5
  matrix[at + 25] = candidate.failures / (candidate.runs + 2)
  matrix[at + 26] = Math.log1p(candidate.idle) / 8
  describeRun(situation, candidate.number, matrix, at)
  describeSlots(situation, candidate.line, matrix, at + 16)
  describeTrims(trail, candidate, matrix, at + 31)
}

/** When it last ran in this session, and whether anything changed since. */
function describeRun({ trail, edited }: Situation, number: number, matrix: Float32Array, at: number): void {
  const run = trail.texts.get(number)
  if (run === undefined || number === 0) return
  const away = trail.now.position - run.at
  const changed = trail.now.changes + edited.length > run.changes
  matrix[at + 8] = 1
  matrix[at + 9] = 1 / (1 + away)
  matrix[at + 13] = flag(away === 1)
  matrix[at + 14] = flag(away === 2)
  matrix[at + 27] = flag(changed)
  matrix[at + 28] = flag(run.failed)
  matrix[at + 29] = flag(changed && run.failed)
  matrix[at + 30] = flag(away > 2 && away < 6)
}

/** How fresh the changing words of a line are in this session. */
function describeSlots({ trail, edited }: Situation, { slots }: ShellLine, matrix: Float32Array, at: number): void {
  const ages = slots.flatMap(({ text }) => {
    const word = trail.words.get(text)
    return word === undefined ? [] : [trail.now.position - word.at]
  })
  const fresh = ages.filter((age) => age <= 1).length
  const touched = slots.some(({ text }) => isAmong(text, edited))
  const count = slots.length
  matrix[at] = flag(count === 0)
  matrix[at + 1] = Math.min(count, 4) / 4
  matrix[at + 2] = count === 0 ? 0 : ages.length / count
  matrix[at + 3] = ages.length === 0 ? 0 : 1 / (1 + Math.min(...ages))
  matrix[at + 4] = count === 0 ? 0 : fresh / count
  matrix[at + 5] = flag(touched)
  matrix[at + 6] = flag(count > 0 && ages.length === count)
  matrix[at + 7] = flag(count > 0 && fresh === count)
}

const isAmong = (word: string, files: readonly string[]): boolean =>
  word.length > 3 && files.some((file) => file.endsWith(word) || word.endsWith(file))

/** Whether a line is trimmed as others were in this session. */
function describeTrims(trail: Trail, candidate: TextCandidate, matrix: Float32Array, at: number): void {
  const { before, after } = trimming(candidate.line.text)
  const count = trail.trims.length + 1
  const byShape = trail.trimOf.get(candidate.template)
  const byStub = trail.trimOf.get(candidate.stub)
  matrix[at] = trail.trims.filter((trim) => trim.after === after).length / count
  matrix[at + 1] = trail.trims.filter((trim) => trim.before === before).length / count
  matrix[at + 2] = flag(trail.trims[0]?.after === after)
  matrix[at + 3] = agrees(byShape?.after, after)
  matrix[at + 4] = agrees(byStub?.after, after)
  matrix[at + 5] = agrees(byStub?.before, before)
  matrix[at + 6] = flag(after === '')
}
