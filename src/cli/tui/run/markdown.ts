import type { Block } from './blocks.ts'
import { highlight, type Inside } from './highlight.ts'

/** The unfinished part of the model's text. */
export interface Writing {
  /** The line that has no end yet. */
  partial: string
  table: readonly string[]
  fence: Fence | null
}

interface Fence {
  mark: string
  language: string
  inside: Inside
}

export const nothingWritten: Writing = { partial: '', table: [], fence: null }

/** Longer ones are broken, so that a piece costs the same however much came before it. */
const longestLine = 2_000
const longestTable = 200
const fencePattern = /^\s*(`{3,}|~{3,})\s*([\w+#-]*)/

interface Written {
  done: Block[]
  writing: Writing
}

/** A piece more: the lines that it finishes are blocks of their own, whatever comes after them. */
export const write = (before: Writing, piece: string): Written => {
  const lines = `${before.partial}${piece}`
    .split('\n')
    .flatMap((line) => (line.length <= longestLine ? [line] : brokenLine(line)))
  const partial = lines.pop() ?? ''
  let writing: Writing = { ...before, partial: '' }
  const done: Block[] = []
  for (const line of lines) {
    const written = withLine(writing, line)
    writing = written.writing
    done.push(...written.done)
  }
  return { done, writing: { ...writing, partial } }
}

const brokenLine = (line: string): string[] => {
  const parts: string[] = []
  for (let at = 0; at < line.length; at += parts.at(-1)?.length ?? 0) {
    const space = line.lastIndexOf(' ', at + longestLine) + 1
    const isLast = line.length - at <= longestLine
    parts.push(line.slice(at, isLast || space <= at + longestLine / 2 ? at + longestLine : space))
  }
  return parts
}

export const finish = (writing: Writing): Block[] => {
  const { done, writing: left } = writing.partial === '' ? { done: [], writing } : write(writing, '\n')
  return [...done, ...tableBlocks(left)]
}

export const unfinished = (writing: Writing): Block[] => {
  if (writing.partial !== '' && writing.fence === null && !isRow(writing.partial))
    return [...tableBlocks(writing), { kind: 'line', text: writing.partial }]
  return finish(writing)
}

const withLine = (writing: Writing, line: string): Written => {
  if (writing.fence !== null) {
    if (line.trim().startsWith(writing.fence.mark) && line.trim().replaceAll(/[`~]/g, '') === '')
      return { done: [], writing: nothingWritten }
    const { language, inside } = writing.fence
    const next = highlight(line, language, inside).inside
    return {
      done: [{ kind: 'code', text: line, language, inside }],
      writing: { ...writing, fence: { ...writing.fence, inside: next } },
    }
  }
  if (isRow(line))
    return writing.table.length < longestTable
      ? { done: [], writing: { ...writing, table: [...writing.table, line] } }
      : { done: tableBlocks(writing), writing: { ...writing, table: [line] } }
  const done = tableBlocks(writing)
  const [, mark, language = ''] = fencePattern.exec(line) ?? []
  if (mark === undefined) return { done: [...done, { kind: 'line', text: line }], writing: nothingWritten }
  return { done, writing: { ...nothingWritten, fence: { mark, language, inside: '' } } }
}

const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line)

const tableBlocks = ({ table }: Writing): Block[] => (table.length === 0 ? [] : [{ kind: 'table', rows: table }])
