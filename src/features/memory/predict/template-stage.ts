import { stubExperts, templateExperts } from './experts.ts'
import type { TemplateFacts } from './lexicon.ts'
import { Panel, perExpert } from './panel.ts'
import { Ranker } from './ranker.ts'
import type { Situation } from './situation.ts'

const mostTemplates = 48
const stubsAt = templateExperts.length * perExpert
const extrasAt = stubsAt + stubExperts.length * perExpert
export const templateFeatures = extrasAt + 30
export const templateHidden = 32

export const makeTemplateRanker = (weights: Float32Array): Ranker =>
  new Ranker(templateFeatures, templateHidden, weights, mostTemplates + 1)

/** Candidates with their features and probabilities; row 0 of both is "something else". */
export interface TemplateRanking {
  readonly symbols: readonly number[]
  readonly matrix: Float32Array
  readonly probabilities: Float32Array
}

/** Predicts the kind of the next command. */
export class TemplateStage {
  readonly panel = new Panel({
    experts: templateExperts,
    width: 12,
    mostRows: 2 ** 17,
    mostCandidates: mostTemplates,
  })
  readonly stubs = new Panel({ experts: stubExperts, width: 12, mostRows: 2 ** 15, mostCandidates: mostTemplates })

  learn(situation: Situation, template: number, stub: number): void {
    this.panel.learn(situation, template)
    this.stubs.learn(situation, stub)
  }

  rank(
    ranker: Ranker,
    situation: Situation,
    findFacts: (template: number) => TemplateFacts | undefined,
    now: number,
  ): TemplateRanking {
    const rows = this.panel.rows(situation)
    const known = this.panel.candidates(rows).flatMap((symbol) => {
      const facts = findFacts(symbol)
      return facts === undefined ? [] : [{ symbol, facts }]
    })
    const symbols = known.map(({ symbol }) => symbol)
    const matrix = new Float32Array((symbols.length + 1) * templateFeatures)
    this.panel.fill(rows, symbols, matrix, templateFeatures, 0)
    const stubs = known.map(({ facts }) => facts.stub)
    this.stubs.fill(this.stubs.rows(situation), stubs, matrix, templateFeatures, stubsAt)
    // The features of "something else". The places are part of the trained weights, here and below.
    const { position } = situation.trail.now
    matrix[extrasAt] = 1
    matrix[extrasAt + 1] = situation.failed
    matrix[extrasAt + 2] = Number(situation.edited.length > 0)
    matrix[extrasAt + 3] = 1 / (1 + position)
    matrix[extrasAt + 4] = symbols.length / mostTemplates
    matrix[extrasAt + 26] = Math.log1p(position) / 4
    for (const [index, { symbol, facts }] of known.entries())
      describeTemplate(situation, symbol, facts, now, matrix, (index + 1) * templateFeatures + extrasAt)
    const probabilities = new Float32Array(symbols.length + 1)
    ranker.probabilities(matrix, probabilities)
    return { symbols, matrix, probabilities }
  }
}

function describeTemplate(
  { trail, failed, edited }: Situation,
  symbol: number,
  facts: TemplateFacts,
  now: number,
  matrix: Float32Array,
  at: number,
): void {
  const [last, second] = trail.steps
  const { position, broken, changes, sinceChange } = trail.now
  const isSame = last?.template === symbol
  matrix[at + 1] = failed
  matrix[at + 3] = 1 / (1 + position)
  matrix[at + 7] = Number(isSame)
  matrix[at + 8] = isSame ? failed : 0
  matrix[at + 9] = Number(second?.template === symbol)
  matrix[at + 10] = Number(last?.stub === facts.stub)
  matrix[at + 11] = Number(last?.program === facts.program)
  matrix[at + 12] = Math.log1p(facts.runs) / 5
  matrix[at + 13] = Math.log1p(now - facts.lastAt) / 8
  matrix[at + 14] = facts.failures / (facts.runs + 2)
  matrix[at + 15] = Math.min(facts.slots, 4) / 4
  matrix[at + 16] = Number(broken?.template === symbol)
  matrix[at + 17] = Number(broken?.stub === facts.stub)
  matrix[at + 25] = Number(edited.length > 0)
  matrix[at + 26] = Math.log1p(position) / 4
  matrix[at + 27] = Math.min(edited.length > 0 ? 0 : sinceChange, 6) / 6
  matrix[at + 29] = Number(facts.changes)
  // When it last ran in this session, and whether anything changed since.
  const run = trail.templates.get(symbol)
  if (run === undefined) return
  const away = position - run.at
  const changesSince = changes + edited.length - run.changes
  matrix[at + 5] = 1
  matrix[at + 6] = 1 / (1 + away)
  matrix[at + 18] = Number(changesSince > 0)
  matrix[at + 19] = Number(run.failed)
  matrix[at + 20] = Number(changesSince > 0 && run.failed)
  matrix[at + 21] = Number(away === 1)
  matrix[at + 22] = Number(away === 2)
  matrix[at + 23] = Number(away === 3)
  matrix[at + 24] = Number(away > 3 && away < 8)
  matrix[at + 28] = Math.min(changesSince, 4) / 4
}
