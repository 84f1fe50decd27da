import type { AgentModel } from '../contract/agent.ts'
import type { TurnUsage } from '../contract/turn.ts'

/** Tokens that fit into the context of a model, by what its name begins with; the first that fits counts. */
const windows: readonly [RegExp, number][] = [
  [/\[1m\]$/, 1_000_000],
  [/^claude-(?:opus-4-[78]|[a-z]+-(?:[5-9]|\d{2,})(?:-|$))/, 1_000_000],
  [/^claude-/, 200_000],
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gemini-/, 1_048_576],
]

/** Null if it is not known, or if the model holds more than it could: then the table is wrong about it. */
export const contextWindow = (model: string, tokens: number): number | null => {
  const known = windows.find(([pattern]) => pattern.test(model))?.[1] ?? null
  return known === null || known < tokens ? null : known
}

export interface ContextUse {
  /** In the context with this reply: what it was asked with, and the reply itself. */
  tokens: number
  /** Null if it is not known. */
  window: number | null
}

/**
 * How full the context is, by what a CLI wrote down with a reply. A configured window counts first, then the
 * CLI's own; `told` is the model that the CLI named beside the reply.
 */
export const contextUse = (usage: TurnUsage, setWindow: number, told: AgentModel | null): ContextUse => {
  const { inputTokens, cacheTokens = 0, outputTokens, model, window } = usage
  const tokens = inputTokens + cacheTokens + outputTokens
  if (setWindow > 0) return { tokens, window: setWindow }
  if (window !== undefined) return { tokens, window }
  if (model === null) return { tokens, window: null }
  // A reply names its model without the variant, and may add a date.
  const plain = told?.name.replace(/\[[^\]]*\]$/, '') ?? ''
  if (told === null || !(model.startsWith(plain) || plain.startsWith(model)))
    return { tokens, window: contextWindow(model, tokens) }
  return { tokens, window: told.window ?? contextWindow(told.name, tokens) }
}
