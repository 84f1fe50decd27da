/** What the model received, whatever wire it came over, and what sort of request it is. */

export type Part =
  | { type: 'text'; text: string }
  | { type: 'call'; name: string }
  /** A tool's result, or anything else that is nobody's words. */
  | { type: 'result'; text: string }

export interface Message {
  role: 'user' | 'assistant' | 'system'
  parts: readonly Part[]
}

export interface Tool {
  name: string
  /** The group that the tool must be called with. */
  namespace?: string
}

export interface Received {
  model: string
  stream: boolean
  /** The client's own name for the conversation, if its requests carry one. */
  conversation: string | undefined
  system: string
  messages: readonly Message[]
  tools: readonly Tool[]
  /** The JSON schema that the reply must have, if one is asked for. */
  schema: unknown
  tokens: number
}

export type Purpose = 'main' | 'compaction' | 'side'

/** What Claude Code, Codex, Copilot, Gemini and opencode say when they want the conversation summed up. */
const COMPACTION =
  /^Your task is to create a detailed summary of |CONTEXT CHECKPOINT COMPACTION|^Please create a detailed summary of the conversation so far|generate the updated <state_snapshot>|anchored summary from the conversation history/m

/** A request without tools is a side query of the CLI (title, command prefix, hook judgement). */
export function purposeOf(received: Received): Purpose {
  const asked = newMessages(received).filter(({ role }) => role === 'user')
  if (asked.some(({ parts }) => parts.some((part) => part.type === 'text' && COMPACTION.test(part.text)))) {
    return 'compaction'
  }
  return received.tools.length > 0 ? 'main' : 'side'
}

export function textOfAll(messages: readonly Message[]): string {
  return messages.map(({ parts }) => parts.map(textOfPart).join('\n')).join('\n')
}

/** Only what came after the last assistant message. */
export function newMessages({ messages }: Received): readonly Message[] {
  return messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1)
}

const textOfPart = (part: Part): string => (part.type === 'call' ? '' : part.text)

/** About four characters a token, as good as any for a model that does not exist. */
export function tokens(text: string): number {
  return Math.ceil(text.length / 4)
}
