import type { ConversationEntry } from '../../contract/conversation.ts'
import { ReinError } from '../../contract/errors.ts'
import { isObject, parseObject, textOf } from '../../base/util/json.ts'
import { type Prefix, takePrefix, refuseUnknown } from '../cut-prefix.ts'
import type { Json } from '../json.ts'
import { listCalls, isSessionContext, type Message, partsOf } from './messages.ts'
import { TranscriptReader } from './reader.ts'

/**
 * The conversation as it was after one entry, under another id, written anew: what the CLI itself writes it takes up
 * otherwise than it was. It gives each result twice, and puts the calls of all turns together where the first one was.
 */
export const cutLines = (lines: readonly string[], after: string, conversation: string): Prefix => {
  const { entries, count } = liveAt(lines, after)
  const { damaged } = takePrefix(lines, count)
  const header = { ...parseObject(lines[0] ?? ''), sessionId: conversation }
  return { lines: [header, ...messagesOf(entries)].map((line) => JSON.stringify(line)), damaged }
}

/** What was in the conversation when the entry was written, and after how many lines that was. */
const liveAt = (lines: readonly string[], after: string): { entries: ConversationEntry[]; count: number } => {
  const reader = new TranscriptReader()
  const known = new Map<string, ConversationEntry>()
  const index = lines.findIndex((line) => {
    for (const entry of reader.read(line)) known.set(entry.id, entry)
    return known.has(after)
  })
  if (index < 0) refuseUnknown(after)
  const { live } = reader
  const end = live.includes(after) ? live.indexOf(after) + 1 : live.length
  return { entries: live.slice(0, end).flatMap((id) => known.get(id) ?? []), count: index + 1 }
}

const messagesOf = (entries: readonly ConversationEntry[]): Json[] => {
  const messages: (Json & { content: Json[] })[] = []
  const answered = new Set(
    entries
      .filter(({ kind }) => kind === 'tool_result')
      .flatMap(({ raw }) =>
        partsOf(raw as Message).map(({ functionResponse }) =>
          isObject(functionResponse) ? functionResponse.id : undefined,
        ),
      ),
  )
  for (const { id, kind, raw } of entries) {
    const message = raw as Message
    const last = messages.at(-1)
    const isCall = kind === 'assistant' && id.startsWith(`${message.id}:call:`)
    if (kind !== 'assistant') {
      if (last?.id !== message.id) messages.push({ ...message, content: userParts(message) })
    } else if (!isCall) {
      const { toolCalls: _, thoughts: __, ...reply } = message
      messages.push({
        ...reply,
        content: partsOf(message).filter(
          ({ text, thought }) => typeof text === 'string' && text !== '' && thought !== true,
        ),
      })
    } else if (last?.type !== 'gemini') {
      messages.push({ id, timestamp: message.timestamp, type: 'gemini', content: [] })
    }
    if (isCall)
      messages.at(-1)?.content.push(...callParts(message, id).filter((part) => answered.has(readCallId(part))))
  }
  return messages.filter(({ content }) => content.length > 0)
}

/** The CLI makes the context of a session anew when it starts. */
const userParts = (message: Message): Json[] => {
  const parts = partsOf(message).filter(({ text }) => !isSessionContext(textOf(text) ?? ''))
  if (/^\s*[/?]/.test(textOf(parts[0]?.text) ?? ''))
    throw new ReinError('refused', 'Gemini does not take up again what was said with a / or ? at its beginning.')
  return parts
}

/** A call as the model made it, if it was written so; else from the record of what was called. */
const callParts = (message: Message, entry: string): Json[] =>
  listCalls(message)
    .filter(({ id }) => `${entry}:`.startsWith(`${message.id}:call:${id}:`))
    .map(({ id, name, input }) => {
      const written = partsOf(message).find((part) => readCallId(part) === id)
      return written ?? { functionCall: { id, name, args: input } }
    })

const readCallId = ({ functionCall }: Json): unknown => (isObject(functionCall) ? functionCall.id : undefined)
