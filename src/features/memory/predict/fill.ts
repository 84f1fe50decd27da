import type { ShellLine } from '../../../base/shell/line.ts'
import type { FilledSlot } from '../../../base/shell/template.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import { hashText } from './hash.ts'
import type { Trail } from './trail.ts'

const LONGEST = 300
const MOST_SLOTS = 4
const MOST_FILLS = 8
const WORDS_PER_SLOT = 5
const TRIMS = 3
const RANGE = /^(['"]?)(\d+),(\d+)p(['"]?)$/

/** Lines of the same shape as `line` with one changing word replaced by another one of this session. */
export function fills(source: string, line: ShellLine, trail: Trail): string[] {
  if (!isFillable(source) || line.slots.length > MOST_SLOTS) return []
  const lines = line.slots
    .toReversed()
    .flatMap((slot) => [...nextRange(slot), ...wordsFor(slot, trail)].map((word) => replaced(source, slot, word)))
  return lines.slice(0, MOST_FILLS)
}

/** The same command, trimmed as this session last trimmed it, its program, or anything. */
export function restyled(line: ShellLine, template: number, trail: Trail): string[] {
  if (!isFillable(line.text)) return []
  const { core } = trimming(line.text)
  const ways = [trail.trimOf.get(template), trail.trimOf.get(hashText(line.stub)), ...trail.trims.slice(0, TRIMS)]
  return ways.flatMap((way) => (way === undefined ? [] : [`${way.before}${core}${way.after}`]))
}

const isFillable = (text: string): boolean => text.length <= LONGEST && !text.includes('\n')

const replaced = (source: string, slot: FilledSlot, word: string): string =>
  source.slice(0, slot.pos) + word + source.slice(slot.pos + slot.text.length)

/** Newest first. */
function wordsFor(slot: FilledSlot, trail: Trail): string[] {
  const words: string[] = []
  for (const [text, { kind }] of [...trail.words].toReversed()) {
    if (words.length >= WORDS_PER_SLOT) break
    if (kind === slot.kind && text !== slot.text) words.push(text)
  }
  return words
}

/** Who reads a file in pieces goes on where the last one ended. */
function nextRange(slot: FilledSlot): string[] {
  const range = RANGE.exec(slot.text)
  if (range === null) return []
  const [, before = '', from = '0', to = '0', after = ''] = range
  const start = Number(to) + 1
  return [`${before}${start},${start + Number(to) - Number(from)}p${after}`]
}
