import type { Inside } from './highlight.ts'

/** Line numbers; null where unknown. */
export type Lines = readonly (number | null)[]

export interface ToolCall {
  id: string
  name: string
  input: Record<string, unknown>
  isSubagent: boolean
}

export interface ToolResult {
  text: string
  isError: boolean
}

/** One piece of the conversation. It never changes: a new one takes its place. */
export type Block =
  | { kind: 'gap' }
  | { kind: 'prompt'; text: string }
  | { kind: 'line'; text: string }
  | { kind: 'table'; rows: readonly string[] }
  | { kind: 'code'; text: string; language: string; inside: Inside }
  | { kind: 'thinking'; text: string; isFirst: boolean }
  /** `lines`: where in its file each of its edits begins, as far as that is known. */
  | { kind: 'tool'; call: ToolCall; result: ToolResult | null; lines: Lines }
  | { kind: 'note'; text: string; isError: boolean }
  /** Shown unfolded only. */
  | { kind: 'other'; text: string }

/** How much of the memory it takes, in characters. */
export const weightOf = (block: Block): number => {
  switch (block.kind) {
    case 'gap':
      return 1
    case 'table':
      return block.rows.reduce((sum, row) => sum + row.length, 0)
    case 'tool':
      return JSON.stringify(block.call.input).length + (block.result?.text.length ?? 0)
    default:
      return block.text.length + 1
  }
}
