import type { EntryKind } from '../../contract/conversation.ts'
import type { TurnBlock, TurnUsage } from '../../contract/turn.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import { asObject, type Json, listObjects } from '../json.ts'
import { contextIn, isGoOn, splitOutput } from './hook-text.ts'

/** One message of a transcript, as the CLI keeps it. */
export interface Message extends Json {
  id: string
  type: 'user' | 'gemini'
}

/** What the model gets of a message, piece by piece: each becomes an entry of its own. */
export interface Piece {
  /** Which piece of its message it is; the same each time the message is written. */
  name: string
  /** Equal for equal content, in whichever message. */
  key: string
  kind: EntryKind
  text: string
  blocks: TurnBlock[]
  usage: TurnUsage | null
  isReply: boolean
  /** The tool call that this is, or is the result of. */
  call: string | null
}

/** Notes for the person at the terminal are no part of the conversation. */
export const asMessage = (value: unknown): Message | null =>
  isObject(value) && typeof value.id === 'string' && (value.type === 'user' || value.type === 'gemini')
    ? (value as Message)
    : null

/** The reply comes first, though it may be nothing but calls; the CLI records these only when they have run. */
export const splitMessage = (message: Message): Piece[] => {
  if (message.type === 'user') return splitPrompt(message)
  // The CLI may note calls in a message of their own, which the model did not write.
  const isRecordOfCalls = message.content === '' && Array.isArray(message.toolCalls) && !isObject(message.tokens)
  return [
    ...(isRecordOfCalls ? [] : [toReplyPiece(message)]),
    ...listCalls(message).map(({ id, name, input }) =>
      piece(`call:${id}`, 'assistant', '', { call: id, blocks: [{ type: 'tool_use', id, name, input }] }),
    ),
  ]
}

/** Stands at the beginning of a conversation, and again when the CLI writes all of it anew. */
export const isBeginning = (message: Message): boolean =>
  message.type === 'user' && isSessionContext(textOf(partsOf(message)[0]?.text) ?? '')

export const isSessionContext = (text: string): boolean => text.startsWith('<session_context>')

export const partsOf = ({ content }: Message): Json[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }]
  return (Array.isArray(content) ? content : [content]).filter(isObject)
}

const piece = (name: string, kind: EntryKind, text: string, more: Partial<Piece> = {}): Piece => ({
  name,
  key: [kind, more.call, text].join(' '),
  kind,
  text,
  blocks: [],
  usage: null,
  isReply: false,
  call: null,
  ...more,
})

/** A prompt may come in several parts, files among them; hook context and tool results are pieces of their own. */
const splitPrompt = (message: Message): Piece[] => {
  const pieces: Piece[] = []
  for (const [index, part] of partsOf(message).entries()) {
    const last = pieces.at(-1)
    const [first, ...rest] = isObject(part.functionResponse)
      ? splitResult(part.functionResponse, index)
      : splitText(textOf(part.text) ?? '', index)
    if (first?.kind === 'prompt' && last?.kind === 'prompt')
      pieces[pieces.length - 1] = promptPiece(last.name, `${last.text}\n${first.text}`)
    else if (first !== undefined) pieces.push(first, ...rest)
  }
  return pieces
}

const promptPiece = (name: string, text: string): Piece =>
  piece(name, 'prompt', text, { blocks: [{ type: 'text', text }] })

const splitText = (text: string, index: number): Piece[] => {
  if (text === '' || isSessionContext(text)) return []
  const context = contextIn(text)
  if (context !== null) return [contextPiece(String(index), 'prompt', context)]
  if (text.startsWith('<state_snapshot>')) return [piece(String(index), 'compaction', text)]
  if (isGoOn(text)) return [piece(String(index), 'feedback', text, { blocks: [{ type: 'text', text }] })]
  return [promptPiece(String(index), text)]
}

const contextPiece = (name: string, source: string, text: string): Piece =>
  piece(name, 'hook_context', text, { blocks: [{ type: 'context', source, text }] })

const splitResult = ({ id, response }: Json, index: number): Piece[] => {
  const call = String(id)
  const fields = asObject(response)
  const isError = fields.error !== undefined
  const { output, context } = splitOutput(textOf(fields.output) ?? textOf(fields.error) ?? JSON.stringify(fields))
  const block: TurnBlock = { type: 'tool_result', id: call, text: output, isError }
  const result = piece(`${index}`, 'tool_result', output, { call, blocks: [block] })
  return context === null ? [result] : [result, contextPiece(`${index}:context`, 'tool', context)]
}

/** What the CLI itself puts into the model's mouth has no model. */
const toReplyPiece = (message: Message): Piece => {
  const { tokens } = message
  const model = textOf(message.model)
  const usage = isObject(tokens)
    ? { inputTokens: Number(tokens.input ?? 0), outputTokens: Number(tokens.output ?? 0), model }
    : null
  const parts = partsOf(message).filter(({ thought }) => thought !== true)
  const text = parts.map((part) => textOf(part.text) ?? '').join('')
  const blocks: TurnBlock[] = [
    ...listObjects(message.thoughts).map(({ subject, description }) => ({
      type: 'thinking' as const,
      thinking: [subject, description].filter((part) => typeof part === 'string').join('\n'),
    })),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ]
  return piece('reply', 'assistant', text, { blocks, usage, isReply: model !== null })
}

interface Call {
  id: string
  name: string
  input: Json
}

/** In the parts of the reply, or beside it. */
export const listCalls = (message: Message): Call[] => {
  const inParts = partsOf(message).map(({ functionCall }) => functionCall)
  const noted = Array.isArray(message.toolCalls) ? message.toolCalls : []
  const calls = [...inParts, ...noted].filter(isObject).map(({ id, name, args }) => ({
    id: String(id),
    name: String(name),
    input: asObject(args),
  }))
  return [...new Map(calls.map((call) => [call.id, call])).values()]
}
