import { z } from 'zod'
import { Opinion, OpinionKind } from '../opinion.ts'
import { type ClientInput, HereInput } from './fields.ts'
import { route, type Routes } from './route.ts'

const anInput = z.record(z.string(), z.unknown())

/** A call, in words that no CLI needs to be known for, or by a tool of the agent's own CLI. */
export const ExplainedCall = z.union([
  z.strictObject({ command: z.string().describe('a line for the shell') }),
  z.strictObject({ write: z.string().describe('the path'), content: z.string() }),
  z.strictObject({ edit: z.string().describe('the path'), old: z.string(), new: z.string() }),
  z.strictObject({ read: z.string().describe('the path') }),
  z.strictObject({ fetch: z.string().describe('the address') }),
  z.strictObject({ tool: z.string(), input: anInput.default({}) }),
  z.strictObject({
    last: z.coerce.number<number>().int().min(1).max(100).describe('the last calls that the agent made'),
  }),
])

/** A call of an agent of the project, or of no agent. */
export const ExplainInput = HereInput.extend({ target: z.string().optional(), call: ExplainedCall })

export const Explanation = z.object({
  tool: z.string(),
  input: anInput,
  rewritten: anInput.nullable().describe('the whole input as it would run; null if it is not changed'),
  opinions: z.array(Opinion).describe('who says what; who counts most first'),
  decided: OpinionKind.nullable().describe('the decision; null if there is no verdict'),
  by: z.string().nullable().describe('who decides that'),
  isRecorded: z
    .boolean()
    .optional()
    .describe(
      'of a call that was made: as it was decided then; if not, no rule is on record, and it is judged by the rules of now',
    ),
})
export const ExplainOutput = z.array(Explanation)

export type ExplainRequest = ClientInput<typeof ExplainInput>
export type Explanation = z.infer<typeof Explanation>

/** The opinions of rules and of all other deciders. */
export const ruleRoutes = {
  explainCall: route({
    method: 'POST',
    path: '/v1/rules/explain',
    input: ExplainInput,
    output: ExplainOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein rules explain'],
    help: 'Tells who would say what to a call, without any effect.',
  }),
} satisfies Routes
