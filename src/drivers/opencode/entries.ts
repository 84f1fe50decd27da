import type { ConversationEntry } from '../../contract/conversation.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import { asObject, type Json } from '../json.ts'

/** A message with the newest state of each of its parts. */
export interface Message {
  id: string
  info: Json
  parts: Map<string, Json>
}

/** An entry that has no place in the conversation yet. */
export type Draft = Omit<ConversationEntry, 'parent' | 'link'> & { part: string }

/** The prompt, and what a hook added to it. */
export const userEntries = (message: Message): Draft[] => {
  const texts = [...message.parts.values()].filter(({ type, ignored }) => type === 'text' && ignored !== true)
  const own = texts.filter((part) => readMark(part) !== 'context')
  const added = texts.filter((part) => readMark(part) === 'context')
  const text = own.map(plainText).join('\n')
  // What opencode says to itself, after a compaction for example, is no prompt.
  const isOwn = own.every(({ synthetic }) => synthetic === true)
  const kind = own.some((part) => readMark(part) === 'feedback') ? 'feedback' : isOwn ? 'other' : 'prompt'
  const prompt = draft(message, message.id, { kind, text, blocks: [{ type: 'text', text }] })
  return [
    ...(own.length === 0 ? [] : [prompt]),
    ...added.map((part) => draft(message, String(part.id), context('chat.message', plainText(part)))),
  ]
}

const context = (source: string, text: string): Pick<Draft, 'kind' | 'text' | 'blocks'> => ({
  kind: 'hook_context',
  text,
  blocks: [{ type: 'context', source, text }],
})

const readMark = ({ metadata }: Json): unknown => (isObject(metadata) ? metadata.rein : undefined)

const plainText = (part: Json): string => textOf(part.text) ?? ''

/** What is complete of one part of a reply; the rest comes with a later state of it. */
export const assistantEntries = (message: Message, part: Json): Draft[] => {
  if (part.type === 'tool') return toolEntries(message, part)
  if (part.type === 'step-finish')
    return [
      draft(message, String(part.id), {
        kind: 'other',
        usage: isObject(part.tokens)
          ? {
              inputTokens: Number(part.tokens.input),
              outputTokens: Number(part.tokens.output),
              model: textOf(message.info.modelID),
              // A model without a price costs nothing, which says nothing.
              ...(typeof part.cost === 'number' && part.cost > 0 ? { costUsd: part.cost } : {}),
            }
          : null,
      }),
    ]
  const isOver = isObject(part.time) && part.time.end !== undefined
  if (!isOver || (part.type !== 'text' && part.type !== 'reasoning')) return []
  const text = plainText(part)
  const block: TurnBlock = part.type === 'text' ? { type: 'text', text } : { type: 'thinking', thinking: text }
  return [said(message, String(part.id), part.type === 'text' ? text : '', block)]
}

const toolEntries = (message: Message, part: Json): Draft[] => {
  const state = asObject(part.state)
  if (state.status === 'pending') return []
  const id = String(part.id)
  const input = asObject(state.input)
  const call = said(message, id, '', { type: 'tool_use', id: String(part.callID), name: String(part.tool), input })
  if (state.status !== 'completed' && state.status !== 'error') return [call]
  const isError = state.status === 'error'
  const { own, added } = outputOf(state)
  const block: TurnBlock = { type: 'tool_result', id: String(part.callID), text: own, isError }
  const result = { part: id, kind: 'tool_result' as const, calledBy: id, text: own, blocks: [block], raw: part }
  return [
    call,
    draft(message, `${id}:result`, result),
    ...(added === '' ? [] : [draft(message, `${id}:context`, { part: id, ...context('tool.execute.after', added) })]),
  ]
}

/** The tool's output, and the plugin's addition to it, whose position is recorded beside it. */
const outputOf = (state: Json): { own: string; added: string } => {
  if (state.status === 'error') return { own: textOf(state.error) ?? '', added: '' }
  const output = textOf(state.output) ?? ''
  const rein = isObject(state.metadata) ? state.metadata.rein : undefined
  if (!isObject(rein)) return { own: output, added: '' }
  const [start, end] = [Number(rein.at), Number(rein.at) + Number(rein.length)]
  return { own: output.slice(0, start) + output.slice(end).trimStart(), added: output.slice(start, end).trim() }
}

/** From here on the model gets the summary in place of what was before. */
export const summaryEntry = (message: Message): Draft => {
  const text = [...message.parts.values()]
    .filter(({ type }) => type === 'text')
    .map(plainText)
    .join('\n')
  return draft(message, message.id, { kind: 'compaction', text, blocks: [{ type: 'text', text }] })
}

export const errorEntry = (message: Message, error: Json, endedAt: number): Draft => {
  const detail = isObject(error.data) ? textOf(error.data.message) : null
  const text = detail ?? String(error.name)
  const failed = draft(message, `${message.id}:error`, { kind: 'assistant', text, blocks: [{ type: 'text', text }] })
  return isAboutLogin(error) ? { ...failed, at: endedAt, loggedOut: text } : failed
}

/** It has no key for the provider, or the provider refuses the key; its words differ between providers. */
const isAboutLogin = ({ name, data }: Json): boolean =>
  name === 'ProviderAuthError' || (name === 'APIError' && isObject(data) && data.statusCode === 401)

const said = (message: Message, part: string, text: string, block: TurnBlock): Draft =>
  draft(message, part, { kind: 'assistant', message: message.id, isReply: true, text, blocks: [block] })

/** The time is that of the request: what was offered after it cannot be in the reply. */
const draft = (message: Message, id: string, fields: Pick<Draft, 'kind'> & Partial<Draft>): Draft => ({
  id,
  part: id,
  at: isObject(message.info.time) ? Number(message.info.time.created) : 0,
  message: null,
  calledBy: null,
  isReply: false,
  text: '',
  blocks: [],
  usage: null,
  raw: message.parts.get(id) ?? message.info,
  ...fields,
})
