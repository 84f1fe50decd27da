import { z } from 'zod'

/** The automatic handling of a question of an agent: none, or an answer. */
export const PolicyAnswer = z.enum(['ask', 'approve', 'deny'])
export type PolicyAnswer = z.infer<typeof PolicyAnswer>

/** How one agent's permission requests are answered; `tools` holds the CLI's own tool names, and `plan` for the approval of a plan. */
export const Policy = z.object({
  otherwise: PolicyAnswer.default('ask'),
  tools: z.record(z.string(), PolicyAnswer).default({}),
})
export type Policy = z.infer<typeof Policy>
