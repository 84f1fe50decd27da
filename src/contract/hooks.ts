import type { Question } from './agent.ts'
import type { Limit } from './conversation.ts'
import type { Opinion } from './opinion.ts'

/** The moments at which an agent CLI calls out, by Rein's names; `other` passes through untouched. */
export type HookEvent =
  | 'session_start'
  | 'prompt'
  | 'before_tool'
  | 'after_tool'
  | 'after_batch'
  | 'permission'
  | 'stop'
  | 'stop_failed'
  | 'subagent_start'
  | 'subagent_stop'
  | 'before_compact'
  | 'after_compact'
  | 'session_end'
  | 'notification'
  | 'other'

export interface ToolCall {
  id: string | null
  name: string
  input: Record<string, unknown>
  response?: unknown
}

/** One native hook call of any CLI, in Rein's words; `raw` keeps what the CLI really sent. */
export interface HookCall {
  driver: string
  event: HookEvent
  native: string
  agent: string | null
  pid: number | null
  conversation: string | null
  transcript: string | null
  cwd: string | null
  subagent: { id: string; type: string } | null
  tools: ToolCall[]
  prompt: string | null
  source: string | null
  question: Question | null
  /** In which mode the CLI says that it asks for permissions, in its own word. */
  mode?: string
  /** The CLI says that a usage limit is reached. */
  limit?: Limit
  /** The CLI's own words: the turn failed because nobody is logged in. */
  loggedOut?: string
  raw: unknown
}

/** How a call is named that no hook made: the CLI's own protocol asks for a permission. */
export const overProtocol = 'protocol'

/** The decision about a tool call that has not run yet; a denied prompt never reaches the model. */
export type Decision =
  | { kind: 'deny'; reason: string }
  /** `input`: what is asked about, and runs, where the call was rewritten before that. */
  | { kind: 'ask'; reason: string; input?: Record<string, unknown> }
  | { kind: 'rewrite'; input: Record<string, unknown>; reason: string }

/** The answer of the user's policy to a permission request; without one the CLI asks as usual. */
export type Verdict = { kind: 'allow' } | { kind: 'deny'; reason: string }

export interface ContextPart {
  from: string
  text: string
}

/** The combined reply of all responders; the driver encodes it for the CLI. */
export interface HookReply {
  decision: Decision | null
  /** Given at a permission request alone. */
  verdict?: Verdict
  context: ContextPart[]
  /** Given at a stop: the agent goes on with this text instead of stopping. */
  goOn: ContextPart[]
  /** All opinions, by precedence; the decision or the verdict follows from them. */
  opinions?: readonly Opinion[]
  /**
   * Called if the CLI does not get this reply, to undo what would come twice or never: offers, held calls, blocked stops.
   * What was decided stays on record as decided, also what a rule denied of a call that ran then.
   */
  onLost?: readonly (() => void)[]
}

/** A responder without `opinions` has one opinion: its decision. */
export type ResponderReply = Partial<HookReply>

/** Answers hooks. `agents/hooks/responder-order.ts` says in which order. */
export interface Responder {
  name: string
  events: readonly HookEvent[]
  deadlineMs: number
  /** It may change a tool call: it is heard before the others, which judge what it made of it. */
  isRewriter?: true
  /** `room` is what is left of the context budget, in characters. */
  respond(call: HookCall, room: number): ResponderReply | Promise<ResponderReply>
  /** The opinions it would give about a tool call or a permission, without any effect. */
  explain?(call: HookCall): readonly Opinion[] | Promise<readonly Opinion[]>
  /** The reply if it fails or misses its deadline; without this it counts as silent. */
  failing?(call: HookCall, why: string): ResponderReply
}

/** Claude Code moves context over 10,000 characters into a file and shows 2 KB of it. */
export const contextBudget = 9000
export const contextSeparator = '\n\n'

export const emptyReply: HookReply = { decision: null, context: [], goOn: [] }

const fit = (parts: ContextPart[], room: number): ContextPart[] => {
  let left = room
  return parts.filter((part) => {
    const cost = part.text.length + contextSeparator.length
    if (cost > left) return false
    left -= cost
    return true
  })
}

/** Characters that `reply` already takes of the shared budget. */
export const contextUsed = (reply: HookReply): number =>
  [...reply.context, ...reply.goOn].reduce((sum, part) => sum + part.text.length + contextSeparator.length, 0)

/** Adds what one responder tells the model; a part that no longer fits is left out whole, never cut. */
export const mergeReply = (reply: HookReply, added: ResponderReply, budget = contextBudget): HookReply => {
  const context = fit(added.context ?? [], budget - contextUsed(reply))
  const withContext = { ...reply, context: [...reply.context, ...context] }
  return {
    ...reply,
    context: withContext.context,
    goOn: [...reply.goOn, ...fit(added.goOn ?? [], budget - contextUsed(withContext))],
    ...(added.onLost === undefined ? {} : { onLost: [...(reply.onLost ?? []), ...added.onLost] }),
  }
}

/** The CLI goes on without this reply. What fails to be undone keeps nothing else from it. */
export const loseReply = ({ onLost = [] }: ResponderReply, onTrouble: (cause: unknown) => void): void => {
  for (const undo of onLost)
    try {
      undo()
    } catch (cause) {
      onTrouble(cause)
    }
}
