import { z } from 'zod'
import { AgentState, Question } from './agent.ts'
import { MoveOutput } from './routes/sessions.ts'
import { TurnUsage } from './turn.ts'

/** The clients that follow agents live. */
export interface Viewers {
  /** Whether a client follows this agent: one without followers costs nothing. */
  isWatched(agent: string): boolean
  tell(agent: string, event: LiveEvent): void
}

/** The live events of an agent: pieces of text before they are a turn. */
export const LiveEvent = z.discriminatedUnion('kind', [
  /** A prompt that it accepted, from any source. */
  z.object({ kind: z.literal('prompt'), text: z.string() }),
  /** The model was asked, and replies: how often is what limits count. Told once for each, as it begins or at its end. */
  z.object({ kind: z.literal('reply'), told: z.enum(['begin', 'end']) }),
  /** A piece of what the model says or thinks; pieces of one block follow each other. */
  z.object({ kind: z.enum(['text', 'thinking']), text: z.string() }),
  /** `isSubagent`: a sub-agent made this call. */
  z.object({
    kind: z.literal('tool'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    isSubagent: z.boolean(),
  }),
  z.object({ kind: z.literal('tool_result'), id: z.string(), text: z.string(), isError: z.boolean() }),
  /** Usage of the turn so far; `costUsd` is of the whole conversation, where the CLI reports it. */
  z.object({ kind: z.literal('usage'), usage: TurnUsage }),
  z.object({ kind: z.literal('model'), model: z.string() }),
  /** `isHeldUp`: Rein itself has paused it, for that reason. */
  z.object({
    kind: z.literal('state'),
    state: AgentState,
    question: Question.nullable(),
    reason: z.string(),
    isHeldUp: z.boolean().optional(),
  }),
  /** The turn is over; `wasInterrupted`: it was cut off. */
  z.object({ kind: z.literal('ended'), reason: z.string(), isError: z.boolean(), wasInterrupted: z.boolean() }),
  /** So many of its sub-agents work in the background now: with the end of the last it begins a turn by itself. */
  z.object({ kind: z.literal('background'), running: z.number() }),
  /** It moved to another place of its session. */
  z.object({
    kind: z.literal('moved'),
    move: MoveOutput.pick({ id: true, kind: true, agent: true, part: true, from: true, to: true }),
  }),
  /** How many events are missing here because the reader was too slow; 0 if unknown. */
  z.object({ kind: z.literal('gap'), missed: z.number() }),
  /** Other output of the CLI, verbatim. */
  z.object({ kind: z.literal('other'), raw: z.unknown() }),
])
export type LiveEvent = z.infer<typeof LiveEvent>
