import { eolOf } from './json-text.ts'
import { Refusal } from './refusal.ts'

const begin = '<!-- rein:begin -->'
const end = '<!-- rein:end -->'

/** One block at the end, with the texts of all who want one. */
export const addBlock = (base: string | null, texts: readonly string[]): string => {
  const text = base ?? ''
  const eol = eolOf(text)
  const start = text === '' || text.endsWith('\n') ? text : text + eol
  const lines = [begin, ...[...new Set(texts)].join('\n\n').trim().split('\n'), end]
  return `${start}${text.trim() === '' ? '' : eol}${lines.join(eol)}${eol}`
}

/** The text without the lines between the marks, the marks, and the empty line before them. */
export const takeBlock = (text: string): string => {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => isMark(line, begin))
  const last = lines.findIndex((line) => isMark(line, end))
  if (first === -1 && last === -1) return text
  if (first === -1 || last < first) throw unpaired(first === -1 || last !== -1 ? last : first)
  if (lines.slice(first + 1, last).some((line) => isMark(line, begin))) throw unpaired(first)
  const gap = first > 0 && lines[first - 1]?.trim() === '' ? 1 : 0
  return takeBlock([...lines.slice(0, first - gap), ...lines.slice(last + 1)].join('\n'))
}

const isMark = (line: string, mark: string): boolean => line.trimEnd() === mark

const unpaired = (line: number): Refusal =>
  new Refusal('has a mark of a block of Rein that has no other end', { line: line + 1, column: 1 })
