import type { ShellLine } from '../../../base/shell/line.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import { hashText } from './hash.ts'
import type { Trail } from './trail.ts'

const longestLine = 300
const mostSlots = 4
const mostFills = 8
const wordsPerSlot = 5
const mostTrims = 3
const lineRange = /^(['"]?)(\d+),(\d+)p(['"]?)$/

const isFillable = (text: string): boolean => text.length <= longestLine && !text.includes('\n')

/** Lines of the same shape as `line` with one changing word replaced by a recent one of this session. */
export const fillSlots = (source: string, line: ShellLine, trail: Trail): string[] => {
  if (!isFillable(source) || line.slots.length > mostSlots) return []
  const newestFirst = [...trail.words].toReversed()
  const lines = line.slots.toReversed().flatMap((slot) => {
    const words = newestFirst
      .filter(([text, { kind }]) => kind === slot.kind && text !== slot.text)
      .slice(0, wordsPerSlot)
      .map(([text]) => text)
    const range = lineRange.exec(slot.text)
    if (range !== null) {
      // The next piece of a file that is read in pieces.
      const [, before = '', from = '0', to = '0', after = ''] = range
      const start = Number(to) + 1
      words.unshift(`${before}${start},${start + Number(to) - Number(from)}p${after}`)
    }
    return words.map((word) => source.slice(0, slot.pos) + word + source.slice(slot.pos + slot.text.length))
  })
  return lines.slice(0, mostFills)
}

/** The same command, trimmed as this session last trimmed it, its program, or anything. */
export const restyleLine = (line: ShellLine, template: number, trail: Trail): string[] => {
  if (!isFillable(line.text)) return []
  const { core } = trimming(line.text)
  const ways = [trail.trimOf.get(template), trail.trimOf.get(hashText(line.stub)), ...trail.trims.slice(0, mostTrims)]
  return ways.flatMap((way) => (way === undefined ? [] : [`${way.before}${core}${way.after}`]))
}
