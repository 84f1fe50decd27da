/** What a reply consists of, and the pieces it is streamed in. */
import type { Call } from './tools.ts'
import { randomHex } from './ids.ts'

export type Block =
  | { type: 'thinking'; id: string; text: string }
  | { type: 'text'; id: string; text: string }
  | { type: 'call'; id: string; call: Call }

export const thinking = (text: string): Block => ({ type: 'thinking', id: randomHex(), text })

export const saying = (text: string): Block => ({ type: 'text', id: randomHex(), text })

export const calling = (call: Call): Block => ({ type: 'call', id: randomHex(), call })

export function callsATool(blocks: readonly Block[]): boolean {
  return blocks.some((block) => block.type === 'call')
}

/** A text comes word by word, the JSON of a tool's input in two halves. */
export function piecesOf(block: Block): string[] {
  return block.type === 'call' ? halves(JSON.stringify(block.call.input)) : words(block.text)
}

const words = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [text]

const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
