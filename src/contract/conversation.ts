import type { TurnBlock, TurnUsage } from './turn.ts'

/** The kind of an entry of a conversation, as evidence needs it. */
export type EntryKind =
  | 'prompt'
  | 'assistant'
  | 'tool_result'
  | 'hook_context'
  | 'feedback'
  | 'queued_prompt'
  | 'compaction'
  | 'other'

/**
 * How an entry belongs to the conversation: on its chain; attached to an entry of it; a note that is chained late,
 * to where the CLI was when it began; or progress, which the model never gets.
 */
type EntryLink = 'chain' | 'attachment' | 'note' | 'progress'

/** A usage limit of the account: nothing goes on until then; null if that is not said. */
export interface Limit {
  until: number | null
}

/** A call that went on in the background, and what came of it. */
export interface EndedCall {
  call: string
  result: string
}

/** One entry of the CLI's own transcript, in Rein's words. What a hook gave as context is an entry of its own. */
export interface ConversationEntry {
  id: string
  /** The entry before it; in a transcript without such links simply the one that came before. */
  parent: string | null
  link: EntryLink
  kind: EntryKind
  at: number
  /** Assistant lines of one model reply share this. */
  message: string | null
  /** For tool results: the assistant entry that made the call. */
  calledBy: string | null
  /** True for a reply that really came from the model: no API error, nothing synthetic. */
  isReply: boolean
  /** The text that the model reads. */
  text: string
  blocks: TurnBlock[]
  usage: TurnUsage | null
  /** It says that a usage limit is reached. */
  limit?: Limit
  /** The CLI's own words: the model was not reached because nobody is logged in. */
  loggedOut?: string
  /** A person has logged in here. */
  isLogin?: boolean
  /** A person has stopped the agent here. */
  isInterrupt?: boolean
  /** A result that says only that its call goes on in the background. */
  isLeftRunning?: boolean
  /** The CLI says by itself that a call which it had left running is over. */
  ends?: EndedCall
  raw: Record<string, unknown>
}

/** The questions about a conversation that evidence needs. */
export interface ConversationView {
  /** Everything that is in the model's context now. */
  present(): ReadonlySet<string>
  /** The first reply of the model that has all of these entries behind it. */
  firstReplyBehind(entries: readonly string[]): string | null
  /** Replies in the present context that were written after a moment, oldest first. */
  repliesAfter(since: number): string[]
}
