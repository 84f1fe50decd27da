import type { EntryKind } from '../../contract/conversation.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import { isObject, parseObject, textOf } from '../../base/util/json.ts'
import { asObject, type Json, listObjects } from '../json.ts'

/** One item of the model's input or output as blocks of a turn. */
export const blocksOf = (kind: EntryKind, payload: Json): TurnBlock[] => {
  if (kind === 'assistant') return [producedBlock(payload)]
  if (kind === 'tool_result') {
    const text = outputOf(payload)
    const isError = asObject(payload.output).success === false || refusals.some((one) => text.startsWith(one))
    return [{ type: 'tool_result', id: String(payload.call_id), text, isError }]
  }
  if (kind === 'hook_context') return [{ type: 'context', source: 'hook', text: partsText(payload) }]
  return kind === 'prompt' || kind === 'feedback' ? [{ type: 'text', text: itemText(kind, payload) }] : []
}

/** What the model gets to read. */
export const itemText = (kind: EntryKind, payload: Json): string => {
  if (kind !== 'feedback') return partsText(payload)
  // Each hook's words at a stop are in an element of their own, escaped; the model reads them unescaped.
  const prompts = partsText(payload).matchAll(/<hook_prompt [^>]*>([^<]*)<\/hook_prompt>/g)
  return Array.from(prompts, ([, said = '']) =>
    said
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'")
      .replaceAll('&amp;', '&'),
  ).join('\n')
}

const producedBlock = (payload: Json): TurnBlock => {
  if (payload.type === 'message') return { type: 'text', text: partsText(payload) }
  if (payload.type === 'reasoning') return { type: 'thinking', thinking: partsText({ content: payload.summary }) }
  const id = textOf(payload.call_id) ?? textOf(payload.id) ?? ''
  const given = textOf(payload.arguments) ?? textOf(payload.input)
  const plain = textOf(payload.name) ?? String(payload.type).replace(/_call$/, '')
  return {
    type: 'tool_use',
    id,
    name: textOf(payload.namespace)?.startsWith('mcp__') === true ? `${String(payload.namespace)}__${plain}` : plain,
    input: given === null ? asObject(payload.action) : (parseObject(given) ?? { input: given }),
  }
}

const refusals = ['Command blocked by PreToolUse hook:', 'exec_command failed:']

export const outputOf = ({ output }: Json): string => {
  if (typeof output === 'string') return output
  return partsText(isObject(output) ? output : { content: output })
}

const partsText = ({ content }: Json): string => {
  if (typeof content === 'string') return content
  const parts = listObjects(content)
  return parts.map((part) => textOf(part.text) ?? `[${String(part.type)}]`).join('\n')
}
