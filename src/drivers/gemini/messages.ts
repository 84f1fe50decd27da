import type { EntryKind } from '../../contract/conversation.ts'
import type { TurnBlock, TurnUsage } from '../../contract/turn.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import { contextIn, isGoOn, splitOutput } from './hook-text.ts'

type Json = Record<string, unknown>

/** One message of a transcript, as the CLI keeps it. */
export interface Message extends Json {
  id: string
  type: 'user' | 'gemini'
}

/** What the model gets of a message, piece by piece: each becomes an entry of its own. */
export interface Piece {
  /** Which piece of its message it is; the same each time the message is written. */
  name: string
  /** The same for the same content, whichever message it stands in. */
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
export const messageIn = (value: unknown): Message | null =>
  isObject(value) && typeof value.id === 'string' && (value.type === 'user' || value.type === 'gemini')
    ? (value as Message)
    : null

export const piecesOf = (message: Message): Piece[] => (message.type === 'user' ? userPieces : modelPieces)(message)

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

/** A prompt may come in several parts, files among them; context of hooks and results of tools stand for themselves. */
const userPieces = (message: Message): Piece[] => {
  const pieces: Piece[] = []
  for (const [index, part] of partsOf(message).entries()) {
    const last = pieces.at(-1)
    const [first, ...rest] = isObject(part.functionResponse)
      ? resultPieces(part.functionResponse, index)
      : textPieces(textOf(part.text) ?? '', index)
    if (first?.kind === 'prompt' && last?.kind === 'prompt') pieces[pieces.length - 1] = joinedPrompt(last, first)
    else if (first !== undefined) pieces.push(first, ...rest)
  }
  return pieces
}

const joinedPrompt = (one: Piece, other: Piece): Piece => promptPiece(one.name, `${one.text}\n${other.text}`)

const promptPiece = (name: string, text: string): Piece =>
  piece(name, 'prompt', text, { blocks: [{ type: 'text', text }] })

const textPieces = (text: string, index: number): Piece[] => {
  if (text === '' || isSessionContext(text)) return []
  const context = contextIn(text)
  if (context !== null) return [contextPiece(String(index), 'prompt', context)]
  if (text.startsWith('<state_snapshot>')) return [piece(String(index), 'compaction', text)]
  if (isGoOn(text)) return [piece(String(index), 'feedback', text, { blocks: [{ type: 'text', text }] })]
  return [promptPiece(String(index), text)]
}

const contextPiece = (name: string, source: string, text: string): Piece =>
  piece(name, 'hook_context', text, { blocks: [{ type: 'context', source, text }] })

const resultPieces = ({ id, response }: Json, index: number): Piece[] => {
  const call = String(id)
  const fields = isObject(response) ? response : {}
  const isError = fields.error !== undefined
  const { output, context } = splitOutput(textOf(fields.output) ?? textOf(fields.error) ?? JSON.stringify(fields))
  const block: TurnBlock = { type: 'tool_result', id: call, text: output, isError }
  const result = piece(`${index}`, 'tool_result', output, { call, blocks: [block] })
  return context === null ? [result] : [result, contextPiece(`${index}:context`, 'tool', context)]
}

/** First the reply, though it may be nothing but calls; these are written down only when they have run. */
const modelPieces = (message: Message): Piece[] => [
  ...(isRecordOfCalls(message) ? [] : [replyPiece(message)]),
  ...callsOf(message).map(callPiece),
]

/** The CLI may note calls in a message of their own, which the model did not write. */
const isRecordOfCalls = ({ content, toolCalls, tokens }: Message): boolean =>
  content === '' && Array.isArray(toolCalls) && !isObject(tokens)

/** What the CLI itself puts into the model's mouth has no model. */
const replyPiece = (message: Message): Piece => {
  const parts = partsOf(message).filter(({ thought }) => thought !== true)
  const text = parts.map((part) => textOf(part.text) ?? '').join('')
  const blocks: TurnBlock[] = [...thoughtsOf(message), ...(text === '' ? [] : [{ type: 'text' as const, text }])]
  return piece('reply', 'assistant', text, { blocks, usage: usageOf(message), isReply: textOf(message.model) !== null })
}

const thoughtsOf = ({ thoughts }: Message): TurnBlock[] =>
  (Array.isArray(thoughts) ? thoughts.filter(isObject) : []).map(({ subject, description }) => ({
    type: 'thinking',
    thinking: [subject, description].filter((part) => typeof part === 'string').join('\n'),
  }))

export interface Call {
  id: string
  name: string
  input: Json
}

/** In the parts of the reply, or beside it. */
export const callsOf = (message: Message): Call[] => {
  const inParts = partsOf(message).map(({ functionCall }) => functionCall)
  const noted = Array.isArray(message.toolCalls) ? message.toolCalls : []
  const calls = [...inParts, ...noted].filter(isObject).map(({ id, name, args }) => ({
    id: String(id),
    name: String(name),
    input: isObject(args) ? args : {},
  }))
  return [...new Map(calls.map((call) => [call.id, call])).values()]
}

const callPiece = ({ id, name, input }: Call): Piece =>
  piece(`call:${id}`, 'assistant', '', { call: id, blocks: [{ type: 'tool_use', id, name, input }] })

const usageOf = ({ tokens, model }: Message): TurnUsage | null => {
  if (!isObject(tokens)) return null
  return { inputTokens: Number(tokens.input ?? 0), outputTokens: Number(tokens.output ?? 0), model: textOf(model) }
}
