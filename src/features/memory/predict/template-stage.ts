import { STUB_EXPERTS, TEMPLATE_EXPERTS } from './experts.ts'
import type { Situation } from './situation.ts'
import { Panel, PER_EXPERT } from './panel.ts'
import { Ranker } from './ranker.ts'
import { describeNoTemplate, describeTemplate, TEMPLATE_EXTRAS, type TemplateFacts } from './template-features.ts'

const MOST = 48
const EXPERTS = TEMPLATE_EXPERTS.length * PER_EXPERT
const EXTRAS_AT = EXPERTS + STUB_EXPERTS.length * PER_EXPERT
export const TEMPLATE_FEATURES = EXTRAS_AT + TEMPLATE_EXTRAS
export const TEMPLATE_HIDDEN = 32

export const templateRanker = (weights: Float32Array): Ranker =>
  new Ranker(TEMPLATE_FEATURES, TEMPLATE_HIDDEN, weights, MOST + 1)

/** Candidates with their features and probabilities; row 0 of both is "something else". */
export interface TemplateRanking {
  readonly symbols: readonly number[]
  readonly matrix: Float32Array
  readonly probabilities: Float32Array
}

/** What kind of command comes next. */
export class TemplateStage {
  readonly panel = new Panel({
    experts: TEMPLATE_EXPERTS,
    width: 12,
    mostRows: 2 ** 17,
    wideRows: 2 ** 12,
    mostCandidates: MOST,
  })
  readonly stubs = new Panel({
    experts: STUB_EXPERTS,
    width: 12,
    mostRows: 2 ** 15,
    wideRows: 2 ** 12,
    mostCandidates: MOST,
  })

  learn(situation: Situation, template: number, stub: number): void {
    this.panel.learn(situation, template)
    this.stubs.learn(situation, stub)
  }

  rank(
    ranker: Ranker,
    situation: Situation,
    factsOf: (template: number) => TemplateFacts | undefined,
    now: number,
  ): TemplateRanking {
    const rows = this.panel.rows(situation)
    const known = this.panel.candidates(rows).flatMap((symbol) => {
      const facts = factsOf(symbol)
      return facts === undefined ? [] : [{ symbol, facts }]
    })
    const symbols = known.map(({ symbol }) => symbol)
    const matrix = new Float32Array((symbols.length + 1) * TEMPLATE_FEATURES)
    this.panel.fill(rows, symbols, matrix, TEMPLATE_FEATURES, 0)
    const stubs = known.map(({ facts }) => facts.stub)
    this.stubs.fill(this.stubs.rows(situation), stubs, matrix, TEMPLATE_FEATURES, EXPERTS)
    describeNoTemplate(situation, symbols.length / MOST, matrix, EXTRAS_AT)
    for (const [index, { symbol, facts }] of known.entries())
      describeTemplate(situation, symbol, facts, now, matrix, (index + 1) * TEMPLATE_FEATURES + EXTRAS_AT)
    const probabilities = new Float32Array(symbols.length + 1)
    ranker.probabilities(matrix, probabilities)
    return { symbols, matrix, probabilities }
  }
}
