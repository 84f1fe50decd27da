import type { RouteName } from '../contract/routes.ts'
import type { ExplainRequest, Explanation } from '../contract/routes/rules.ts'

/** What rules and all others who decide would say. */
export interface RulesClient {
  /** Without any effect; one explanation for each call. */
  explain(input: ExplainRequest): Promise<Explanation[]>
}

type Ask = <T>(route: RouteName, call: { input: object }) => Promise<T>

export const createRulesClient = (ask: Ask): RulesClient => ({
  explain: (input) => ask('explainCall', { input }),
})
