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

export const hasCall = (blocks: readonly Block[]): boolean => blocks.some((block) => block.type === 'call')

/** A text comes word by word, the JSON of a tool's input in two halves. */
export const splitBlock = (block: Block): string[] =>
  block.type === 'call' ? halves(JSON.stringify(block.call.input)) : (block.text.match(/\s*\S+|\s+$/g) ?? [block.text])

const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
