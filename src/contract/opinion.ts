import { z } from 'zod'

/** What somebody wants of a tool call, strongest first: this order is the one precedence there is. */
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
