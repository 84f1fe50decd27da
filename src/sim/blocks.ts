/** The content blocks of a message, and the pieces they are streamed in. */
import { createHash } from 'node:crypto'
import { newId } from './ids.ts'
import type { ToolStep } from './script.ts'

export type Block =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }

export const thinking = (text: string): Block => ({
  type: 'thinking',
  thinking: text,
  signature: createHash('sha512').update(text).digest('base64'),
})

export const toolUse = (step: ToolStep): Block => ({
  type: 'tool_use',
  id: newId('toolu'),
  name: step.do === 'RUN' ? 'Bash' : step.tool,
  input: step.do === 'RUN' ? { command: step.command, description: 'Run the scripted command' } : step.input,
})

export function stopReason(blocks: readonly Block[]): string {
  return blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn'
}

/** A block as it looks before its first piece. */
export function emptied(block: Block): unknown {
  if (block.type === 'tool_use') return { ...block, input: {} }
  return block.type === 'text' ? { ...block, text: '' } : { ...block, thinking: '', signature: '' }
}

type Delta = { type: string } & Record<string, string>

export function piecesOf(block: Block): Delta[] {
  switch (block.type) {
    case 'text':
      return words(block.text).map((text) => ({ type: 'text_delta', text }))
    case 'tool_use':
      return halves(JSON.stringify(block.input)).map((part) => ({ type: 'input_json_delta', partial_json: part }))
    default:
      return [
        ...words(block.thinking).map((part) => ({ type: 'thinking_delta', thinking: part })),
        { type: 'signature_delta', signature: block.signature },
      ]
  }
}

const words = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [text]

const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
