/** What the model received, whatever wire it came over, and what sort of request it is. */

export type Part =
  | { type: 'text'; text: string }
  | { type: 'call'; name: string }
  /** A tool's result, or any other text that no person wrote. */
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

type Purpose = 'main' | 'compaction' | 'side'

/** What Claude Code, Codex, Copilot, Gemini and opencode say when they want the conversation summed up. */
const compactionPrompt =
  /^Your task is to create a detailed summary of |CONTEXT CHECKPOINT compactionPrompt|^Please create a detailed summary of the conversation so far|generate the updated <state_snapshot>|anchored summary from the conversation history/m

/** A request without tools is a side query of the CLI (title, command prefix, hook judgement). */
export const findPurpose = (received: Received): Purpose => {
  const asked = selectNewMessages(received).filter(({ role }) => role === 'user')
  if (asked.some(({ parts }) => parts.some((part) => part.type === 'text' && compactionPrompt.test(part.text)))) {
    return 'compaction'
  }
  return received.tools.length > 0 ? 'main' : 'side'
}

export const joinTexts = (messages: readonly Message[]): string =>
  messages.map(({ parts }) => parts.map((part) => (part.type === 'call' ? '' : part.text)).join('\n')).join('\n')

/** Only what came after the last assistant message. */
export const selectNewMessages = ({ messages }: Received): readonly Message[] =>
  messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1)

/** About four characters a token, as good as any for a model that does not exist. */
export const countTokens = (text: string): number => Math.ceil(text.length / 4)
