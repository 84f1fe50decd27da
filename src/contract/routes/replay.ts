import { z } from 'zod'
import { turnLabel } from './fields.ts'
import { route, type Routes } from './route.ts'
import { SessionInput } from './sessions.ts'

/** Without `until`: up to where the agent is. */
export const RecordingInput = SessionInput.extend({ until: turnLabel.optional() })

const Tree = z.object({ root: z.string(), snapshot: z.string(), tree: z.string() })

/** A session that can be played again; its texts are in the transcripts. */
export const RecordingOutput = z.object({
  session: z.string(),
  agent: z.string(),
  driver: z.string(),
  version: z.string(),
  /** The CLI's own file. */
  program: z.string().nullable(),
  cwd: z.string(),
  permissionMode: z.string().optional(),
  autoApprove: z.boolean().optional(),
  system: z.string().optional(),
  /** How its snapshots were taken: by the settings sessions.… */
  include: z.string(),
  maxFileBytes: z.number(),
  turns: z.array(
    z.object({
      label: turnLabel,
      conversation: z.string(),
      transcript: z.string().nullable(),
      /** The entries with which it begins and ends. */
      first: z.string(),
      last: z.string(),
      model: z.string().nullable(),
      before: Tree.nullable(),
      after: Tree.nullable(),
    }),
  ),
})

export type RecordingView = z.infer<typeof RecordingOutput>
export type RecordingTurnView = RecordingView['turns'][number]
export type RecordedTree = NonNullable<RecordingTurnView['after']>

/** The data that a replay needs. */
export const replayRoutes = {
  recording: route({
    method: 'GET',
    path: '/v1/sessions/recording',
    input: RecordingInput,
    output: RecordingOutput,
    scope: 'files',
    limitMs: 120_000,
    help: 'Tells what a session is played again with, up to a turn or to where the agent is.',
  }),
} satisfies Routes
