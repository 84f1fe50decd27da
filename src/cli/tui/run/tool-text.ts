import { editsOf } from '../../../contract/tool-edits.ts'
import { inputSummary } from '../../../contract/tool-input.ts'
import { counted } from '../../format.ts'
import type { ToolCall } from './blocks.ts'
import { diffOf } from './diff.ts'

const textAt = (input: Record<string, unknown>, names: readonly string[]): string | undefined =>
  names.map((name) => input[name]).find((value) => typeof value === 'string')

/** A tool call in few words: which file, command or pattern, and how much of it. */
export const callSummary = ({ input }: Pick<ToolCall, 'input'>): string => {
  const edits = editsOf(input)
  if (edits.length > 0) {
    const lines = edits.flatMap(({ before, after }) => diffOf(before, after))
    const count = (sign: string): number => lines.filter((line) => line.sign === sign).length
    return `${edits[0]?.file} +${count('+')} -${count('-')}`
  }
  const pattern = textAt(input, ['pattern', 'query'])
  if (pattern !== undefined) {
    const place = textAt(input, ['path', 'glob'])
    return place === undefined ? pattern : `${pattern} in ${place}`
  }
  if (Array.isArray(input['todos'])) return counted(input['todos'].length, 'item')
  const range = typeof input['offset'] === 'number' ? `:${input['offset']}` : ''
  return Object.keys(input).length === 0 ? '' : `${inputSummary(input)}${range}`
}
