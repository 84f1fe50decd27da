import { z } from 'zod'
import { defineRecords } from './record-kind.ts'

/** The kinds of opinions about a tool call, strongest first: this order is the only precedence. */
export const opinionKinds = ['deny', 'ask', 'rewrite', 'warn', 'context', 'log', 'approve'] as const
export const OpinionKind = z.enum(opinionKinds)
export type OpinionKind = z.infer<typeof OpinionKind>

/** One opinion about one tool call, with who holds it. */
export const Opinion = z.object({
  by: z
    .string()
    .describe('who says so: `rule no-force-push`, `policy Bash=approve`, `lease ada`, `wrong-tool`, `loops`'),
  kind: OpinionKind,
  reason: z.string(),
  input: z.record(z.string(), z.unknown()).optional().describe('the whole input of the tool as rewritten'),
  isGuard: z.boolean().optional(),
})
export type Opinion = z.infer<typeof Opinion>

/** The opinions about one call, prompt or stop, and the decision. */
export const RuleDecided = z.object({
  event: z.string(),
  conversation: z.string().nullable(),
  subagent: z.string().nullable(),
  tool: z.string().nullable(),
  /** In short. */
  call: z.string(),
  /** By precedence; the first one of the decided kind is the one that decided. */
  opinions: z.array(Opinion),
  decided: OpinionKind.nullable(),
})
export type RuleDecided = z.infer<typeof RuleDecided>

export const ruleRecords = defineRecords('rules', {
  /** Rules had something to say to a call, a prompt or a stop; `decided` is what became of it, null if it went on as it was. */
  'rule.decided': [1, RuleDecided],
})
