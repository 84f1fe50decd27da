import { z } from 'zod'
import { ReviewItem } from '../routes/bundles.ts'
import { turnLabel } from '../routes/fields.ts'

const FileDifference = z.object({
  path: z.string(),
  kind: z.enum(['missing', 'extra', 'different']).describe('in the replayed tree, beside the recorded one'),
})

const Difference = z.object({
  request: z.number().describe('which request to the model of this turn, from 1'),
  what: z.string().describe('what of it differs: the prompt, a result, what a hook said'),
  recorded: z.string().nullable().describe('from where they part, shortened; null if there was nothing'),
  replayed: z.string().nullable(),
})

const CallNote = z.object({
  tool: z.string(),
  call: z.string().describe('what it was to do'),
  what: z.enum(['denied', 'allowed', 'asked']).describe('`allowed`: it was denied in the recording'),
  why: z.string(),
})

const ReplayedTurn = z.object({
  turn: turnLabel,
  prompt: z.string(),
  isEqual: z.boolean(),
  requests: z.object({ recorded: z.number(), replayed: z.number() }).describe('requests to the model'),
  differences: z.array(Difference).describe('in what the model received'),
  results: z.object({ equal: z.number(), different: z.number() }).describe('results of tools'),
  calls: z.array(CallNote).describe('calls that were decided otherwise than in the recording, or asked for'),
  left: z.number().describe('unused recorded replies'),
  unanswered: z.number().describe('requests without a recorded reply, of the agent or of a sub-agent'),
  tree: z.object({
    recorded: z.string().nullable().describe('the tree id after the turn; null if there is no snapshot'),
    replayed: z.string().nullable(),
    files: z.array(FileDifference),
  }),
})

const Reach = z.object({ turn: turnLabel, what: z.string(), why: z.string() })

const ReplayOutput = z.object({
  session: z.string(),
  driver: z.string(),
  version: z.object({ recorded: z.string(), replayed: z.string() }).describe('of the CLI'),
  isEqual: z.boolean().describe('whether everything went as recorded'),
  divergedAt: turnLabel.nullable().describe('the first turn that did not'),
  turns: z.array(ReplayedTurn),
  outside: z.array(Reach).describe('what reaches out of the tree'),
  scratch: z.string().nullable().describe('where it was played, if kept'),
})

const ReplayPreviewOutput = z.object({
  session: z.string(),
  driver: z.string(),
  root: z.string().describe('the top of the recorded work tree, which stands for the scratch directory'),
  turns: z.array(
    z.object({
      turn: turnLabel,
      prompt: z.string(),
      commands: z.array(z.string()).describe('that the shell would run; those of sub-agents with the first turn'),
      files: z.array(z.string()).describe('that tools would write'),
    }),
  ),
  review: z
    .array(ReviewItem)
    .describe('of a bundle: its files that can run or steer something, the most dangerous first'),
  outside: z.array(Reach).describe('what reaches out of the tree'),
})

/** The output of `rein session replay --json`. */
export const replayOutputs = {
  'rein session replay': ReplayOutput,
  'rein session replay --dry-run': ReplayPreviewOutput,
} as const

export type ReplayedTurnView = z.infer<typeof ReplayedTurn>
export type ReplayView = z.infer<typeof ReplayOutput>
export type ReplayPreviewView = z.infer<typeof ReplayPreviewOutput>
export type Reach = ReplayView['outside'][number]
