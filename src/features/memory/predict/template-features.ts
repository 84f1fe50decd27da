import type { Situation } from './situation.ts'

/** What is known of a template beside its counts. */
export interface TemplateFacts {
  readonly stub: number
  readonly program: number
  readonly slots: number
  /** Whether it changes files by itself. */
  readonly changes: boolean
  runs: number
  failures: number
  /** Number of the last command with it. */
  lastAt: number
}

export const TEMPLATE_EXTRAS = 30

const flag = (value: boolean | undefined): number => (value === true ? 1 : 0)

/** The features of "something else". The places are part of the learnt weights, here and below. */
export function describeNoTemplate(situation: Situation, crowd: number, matrix: Float32Array, at: number): void {
  const { trail } = situation
  matrix[at] = 1
  matrix[at + 1] = flag(trail.step(0)?.failed)
  matrix[at + 2] = flag(situation.edited.length > 0)
  matrix[at + 3] = 1 / (1 + trail.now.position)
  matrix[at + 4] = crowd
  matrix[at + 26] = Math.log1p(trail.now.position) / 4
}

export function describeTemplate(
  situation: Situation,
  symbol: number,
  facts: TemplateFacts,
  now: number,
  matrix: Float32Array,
  at: number,
): void {
  const { trail } = situation
  const last = trail.step(0)
  const same = last?.template === symbol
  matrix[at + 1] = flag(last?.failed)
  matrix[at + 3] = 1 / (1 + trail.now.position)
  matrix[at + 7] = flag(same)
  matrix[at + 8] = flag(same && last?.failed)
  matrix[at + 9] = flag(trail.step(1)?.template === symbol)
  matrix[at + 10] = flag(last?.stub === facts.stub)
  matrix[at + 11] = flag(last?.program === facts.program)
  matrix[at + 12] = Math.log1p(facts.runs) / 5
  matrix[at + 13] = Math.log1p(now - facts.lastAt) / 8
  matrix[at + 14] = facts.failures / (facts.runs + 2)
  matrix[at + 15] = Math.min(facts.slots, 4) / 4
  matrix[at + 16] = flag(trail.now.broken?.template === symbol)
  matrix[at + 17] = flag(trail.now.broken?.stub === facts.stub)
  matrix[at + 25] = flag(situation.edited.length > 0)
  matrix[at + 26] = Math.log1p(trail.now.position) / 4
  matrix[at + 27] = Math.min(situation.edited.length > 0 ? 0 : trail.now.sinceChange, 6) / 6
  matrix[at + 29] = flag(facts.changes)
  describeRun(situation, symbol, matrix, at)
}

/** When it last ran in this session, and whether anything changed since. */
function describeRun({ trail, edited }: Situation, symbol: number, matrix: Float32Array, at: number): void {
  const run = trail.templates.get(symbol)
  if (run === undefined) return
  const away = trail.now.position - run.at
  const changes = trail.now.changes + edited.length - run.changes
  matrix[at + 5] = 1
  matrix[at + 6] = 1 / (1 + away)
  matrix[at + 18] = flag(changes > 0)
  matrix[at + 19] = flag(run.failed)
  matrix[at + 20] = flag(changes > 0 && run.failed)
  matrix[at + 21] = flag(away === 1)
  matrix[at + 22] = flag(away === 2)
  matrix[at + 23] = flag(away === 3)
  matrix[at + 24] = flag(away > 3 && away < 8)
  matrix[at + 28] = Math.min(changes, 4) / 4
}
