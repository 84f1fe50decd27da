import { z } from 'zod'
import { AgentState } from '../agent.ts'
import { MovedPart, MoveKind, Skipped } from '../session.ts'
import { TurnBlock } from '../turn.ts'
import { type ClientInput, flag, HereInput, time, turnLabel } from './fields.ts'
import { LoopView } from './loops.ts'
import { route, type Routes } from './route.ts'

const limit = z.coerce.number<number>().int().min(1)
const label = turnLabel.describe(
  'its number; `3b` is the second turn 3, in another branch; 0 is before the first prompt',
)

export const SessionsInput = HereInput.extend({ all: flag, limit: limit.default(50) })
/** A session by its id, by a conversation of it, or the one that an agent is in. */
export const SessionInput = HereInput.extend({ target: z.string() })

export const SessionView = z.object({
  id: z.string(),
  agent: z.string().describe('the handle of the agent that is in it, or was last'),
  driver: z.string(),
  project: z.string(),
  cwd: z.string(),
  state: AgentState,
  turns: z.number().describe('how many turns it has, in all branches'),
  branches: z.number().describe('how many conversations it has'),
  current: label.nullable().describe('where the agent is; null if it has moved on to another session'),
  conversation: z.string().nullable().describe("the CLI's own conversation that the agent is in"),
  firstAt: time('when it began'),
  lastAt: time('when its last turn began'),
  lastPrompt: z.string(),
})
export const SessionsOutput = z.array(SessionView)

export const TurnView = z.object({
  label,
  parent: label.describe('the turn before it'),
  conversation: z.string(),
  agent: z.string(),
  prompt: z.string(),
  startedAt: time('when its prompt came'),
  endedAt: time('when the agent stopped').nullable(),
  reason: z.string().nullable().describe('why it ended'),
  model: z.string().nullable(),
  costUsd: z.number().nullable(),
  isCurrent: z.boolean().describe('whether it is behind what the agent knows now'),
  hasFiles: z.boolean().describe('whether the files after it can be restored'),
})
export const MoveView = z.object({
  id: z.string(),
  kind: MoveKind,
  part: MovedPart,
  from: label,
  to: label,
  by: z.string().nullable().describe('who did it, and through what: `the user`, `the user (phone)`; null if unknown'),
  at: time('when'),
  state: z.enum(['open', 'done', 'failed']),
  reason: z.string().nullable(),
})
export const SessionOutput = z.object({
  session: SessionView,
  turns: z.array(TurnView).describe('in the order in which they began'),
  moves: z.array(MoveView),
  disk: z.object({ bytes: z.number(), sharedBytes: z.number() }).nullable().describe('what its snapshots take up'),
  trouble: z.string().nullable().describe('why the files were not saved, last time'),
})

export const FileChange = z.object({
  path: z.string(),
  kind: z.enum(['added', 'deleted', 'modified', 'type', 'mode']),
  added: z.number().nullable().describe('lines; null where none can be counted'),
  removed: z.number().nullable(),
  isBinary: z.boolean(),
})
export const SessionTurnInput = SessionInput.extend({ turn: label })
const isExact = z
  .boolean()
  .describe('false: a tool began before all files were read, so they may have some of what it did')
const Standing = z.object({
  snapshot: z.string(),
  head: z.string().nullable(),
  branch: z.string().nullable(),
  isExact,
})
export const SessionTurnOutput = z.object({
  session: z.string(),
  turn: TurnView,
  blocks: z.array(TurnBlock).describe('what was said and done, as far as the log reaches back'),
  loops: z.array(LoopView).describe('where it went in circles, and what was done about it'),
  before: Standing.nullable(),
  after: Standing.nullable(),
  changes: z.array(FileChange).nullable().describe('the file changes of the turn; null without a snapshot'),
  skipped: z.array(Skipped).describe('files that snapshots say nothing about'),
  outside: z
    .array(z.string())
    .describe('files outside of the work tree that a tool was told to write: they are not restored'),
})

/** Without `to`: what the turn `from` did. `now` is how the files are at this moment. */
export const SessionDiffInput = SessionInput.extend({
  from: label,
  to: z.union([label, z.literal('now')]).optional(),
  patch: flag,
})
export const SessionDiffOutput = z.object({
  session: z.string(),
  from: z.string(),
  to: z.string(),
  changes: z.array(FileChange),
  patch: z.string().nullable().describe('as `git diff` shows it, if asked for'),
})

export const SessionSearchInput = HereInput.extend({
  all: flag,
  text: z.string().min(1),
  limit: limit.default(50),
})
export const FoundTurn = z.object({
  session: z.string(),
  agent: z.string(),
  turn: label,
  at: time('when it began'),
  prompt: z.string(),
  excerpt: z.string().describe('where the text was found'),
})
export const SessionSearchOutput = z.array(FoundTurn)

const MoveOptions = SessionInput.extend({
  preview: z.boolean().default(false),
  /** Ends what the agent is doing. Without it, one that is at work is left alone. */
  stop: z.boolean().default(false),
  /** Also overwrites what is changed meanwhile, and goes on while other agents work in the same files. */
  force: z.boolean().default(false),
})
export const RewindInput = MoveOptions.extend({ turn: label, part: MovedPart.default('both') })
export const UndoInput = MoveOptions
export const CompactInput = SessionInput.extend({ stop: z.boolean().default(false) })
export const MoveOutput = z.object({
  id: z.string().nullable().describe('null for a preview'),
  kind: MoveKind,
  session: z.string(),
  agent: z.string(),
  part: MovedPart,
  from: label,
  to: label,
  changes: z.array(FileChange).describe('what becomes of the files'),
  isExact,
  kept: z
    .array(z.object({ path: z.string(), reason: z.string() }))
    .describe('files that would be in the way, but are ignored: they stay as they are'),
  skipped: z.array(Skipped).describe('files that the snapshot says nothing about'),
  outside: z
    .array(z.string())
    .describe('files outside of the work tree that were written since: they are not restored'),
  conversation: z.string().nullable().describe('the conversation that continues; null for a new one'),
  isRunning: z.boolean().describe('whether the agent runs, there'),
  command: z.string().nullable().describe('how to go on by hand, for an agent that Rein has not started'),
})

export const ForkInput = SessionInput.extend({
  turn: label.optional(),
  /** The name of the new agent. */
  handle: z.string().optional(),
  /** A directory of its own with the files of that turn: where; an empty text leaves the choice to Rein. */
  worktree: z.string().optional(),
})
export const ForkOutput = z.object({
  session: z.string(),
  agent: z.string().nullable().describe('the new agent; null where only the conversation could be made'),
  turn: label,
  conversation: z.string().nullable(),
  cwd: z.string(),
  command: z.string().nullable().describe('how to go on by hand'),
})

export const SessionGcOutput = z.object({
  trees: z.array(
    z.object({
      root: z.string(),
      snapshots: z.number().describe('how many are kept'),
      dropped: z.number(),
      bytesBefore: z.number(),
      bytes: z.number(),
    }),
  ),
})

export type SessionView = z.infer<typeof SessionView>
export type SessionTurnView = z.infer<typeof TurnView>
export type SessionMoveView = z.infer<typeof MoveView>
export type SessionDetail = z.infer<typeof SessionOutput>
export type FileChange = z.infer<typeof FileChange>
export type SessionTurnDetail = z.infer<typeof SessionTurnOutput>
export type SessionDiff = z.infer<typeof SessionDiffOutput>
export type FoundTurn = z.infer<typeof FoundTurn>
export type MovedView = z.infer<typeof MoveOutput>
export type ForkRequest = ClientInput<typeof ForkInput>
export type ForkedView = z.infer<typeof ForkOutput>
export type CollectedView = z.infer<typeof SessionGcOutput>

/** The turns of agents, and ways back to any of them. */
export const sessionRoutes = {
  sessions: route({
    method: 'GET',
    path: '/v1/sessions',
    input: SessionsInput,
    output: SessionsOutput,
    scope: 'read',
    commands: ['rein session list'],
    help: 'Lists sessions, newest first.',
  }),
  session: route({
    method: 'GET',
    path: '/v1/sessions/one',
    input: SessionInput,
    output: SessionOutput,
    scope: 'read',
    limitMs: 120_000,
    commands: ['rein session show'],
    help: 'Shows a session with its turns and moves.',
  }),
  sessionTurn: route({
    method: 'GET',
    path: '/v1/sessions/turn',
    input: SessionTurnInput,
    output: SessionTurnOutput,
    scope: 'read',
    limitMs: 120_000,
    commands: ['rein session show <id> <turn>'],
    help: 'Shows a turn, and what it did to the files.',
  }),
  sessionDiff: route({
    method: 'GET',
    path: '/v1/sessions/diff',
    input: SessionDiffInput,
    output: SessionDiffOutput,
    scope: 'files',
    limitMs: 600_000,
    commands: ['rein session diff'],
    help: 'Compares the files of two turns, or of a turn and now.',
  }),
  searchSessions: route({
    method: 'GET',
    path: '/v1/sessions/search',
    input: SessionSearchInput,
    output: SessionSearchOutput,
    scope: 'read',
    limitMs: 120_000,
    commands: ['rein session search'],
    help: 'Finds turns by what was said in them.',
  }),
  rewind: route({
    method: 'POST',
    path: '/v1/sessions/rewind',
    input: RewindInput,
    output: MoveOutput,
    progress: true,
    scope: 'files',
    commands: ['rein session rewind'],
    help: 'Takes an agent back to a turn, with its files, its conversation or both.',
  }),
  undo: route({
    method: 'POST',
    path: '/v1/sessions/undo',
    input: UndoInput,
    output: MoveOutput,
    progress: true,
    scope: 'files',
    commands: ['rein session undo'],
    help: 'Takes back the last move.',
  }),
  redo: route({
    method: 'POST',
    path: '/v1/sessions/redo',
    input: UndoInput,
    output: MoveOutput,
    progress: true,
    scope: 'files',
    commands: ['rein session redo'],
    help: 'Makes a move again that was taken back.',
  }),
  fork: route({
    method: 'POST',
    path: '/v1/sessions/fork',
    input: ForkInput,
    output: ForkOutput,
    progress: true,
    scope: 'files',
    commands: ['rein session fork'],
    help: 'Goes on from a turn in an agent of its own.',
  }),
  compact: route({
    method: 'POST',
    path: '/v1/sessions/compact',
    input: CompactInput,
    output: MoveOutput,
    progress: true,
    scope: 'files',
    commands: ['rein session compact'],
    help: 'Goes on in a new conversation that begins with a summary.',
  }),
  collectSessions: route({
    method: 'POST',
    path: '/v1/sessions/gc',
    output: SessionGcOutput,
    progress: true,
    scope: 'admin',
    commands: ['rein session gc'],
    help: 'Removes snapshots that nobody needs any more.',
  }),
} satisfies Routes
