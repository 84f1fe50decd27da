import type { EntryKind } from '../../contract/conversation.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import { isObject, parseObject, textOf } from '../../base/util/json.ts'

type Json = Record<string, unknown>

/** One item of the model's input or output as blocks of a turn. */
export const blocksOf = (kind: EntryKind, payload: Json): TurnBlock[] => {
  if (kind === 'assistant') return [producedBlock(payload)]
  if (kind === 'tool_result') return [resultBlock(payload)]
  if (kind === 'hook_context') return [{ type: 'context', source: 'hook', text: partsText(payload) }]
  return kind === 'prompt' || kind === 'feedback' ? [{ type: 'text', text: itemText(kind, payload) }] : []
}

/** What the model gets to read. */
export const itemText = (kind: EntryKind, payload: Json): string =>
  kind === 'feedback' ? hookPrompts(partsText(payload)) : partsText(payload)

const producedBlock = (payload: Json): TurnBlock => {
  if (payload.type === 'message') return { type: 'text', text: partsText(payload) }
  if (payload.type === 'reasoning') return { type: 'thinking', thinking: partsText({ content: payload.summary }) }
  const id = textOf(payload.call_id) ?? textOf(payload.id) ?? ''
  return { type: 'tool_use', id, name: toolName(payload), input: inputOf(payload) }
}

const toolName = ({ type, name, namespace }: Json): string => {
  const plain = textOf(name) ?? String(type).replace(/_call$/, '')
  return textOf(namespace)?.startsWith('mcp__') === true ? `${String(namespace)}__${plain}` : plain
}

const inputOf = (payload: Json): Json => {
  const given = textOf(payload.arguments) ?? textOf(payload.input)
  if (given !== null) return parseObject(given) ?? { input: given }
  return isObject(payload.action) ? payload.action : {}
}

const resultBlock = (payload: Json): TurnBlock => {
  const text = outputOf(payload)
  const isFailed = isObject(payload.output) && payload.output.success === false
  const isError = isFailed || refusals.some((one) => text.startsWith(one))
  return { type: 'tool_result', id: String(payload.call_id), text, isError }
}

const refusals = ['Command blocked by PreToolUse hook:', 'exec_command failed:']

export const outputOf = ({ output }: Json): string => {
  if (typeof output === 'string') return output
  return partsText(isObject(output) ? output : { content: output })
}

const partsText = ({ content }: Json): string => {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content.filter(isObject) : []
  return parts.map((part) => textOf(part.text) ?? `[${String(part.type)}]`).join('\n')
}

/** What hooks said at a stop stands in an element each, escaped; the model reads it as it was meant. */
const hookPrompts = (text: string): string =>
  [...text.matchAll(/<hook_prompt [^>]*>([^<]*)<\/hook_prompt>/g)].map(([, said = '']) => unescaped(said)).join('\n')

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
