import { besidesEdits, type Edit, editsOf, patchOf } from '../../../contract/tool-edits.ts'
import { counted } from '../../format.ts'
import { type Line, oneLine, safe, type Span } from '../terminal/line.ts'
import type { Block, Lines, ToolResult } from './blocks.ts'
import { diffOf } from './diff.ts'
import { highlight, patchSpan } from './highlight.ts'
import { inline, wrapSpans } from './inline.ts'
import { finish, nothingWritten, write } from './markdown.ts'
import { tableLines } from './table.ts'
import { callSummary } from './tool-text.ts'

export interface Look {
  columns: number
  /** Shows inputs and results of tools, thoughts, and unknown events. */
  isUnfolded: boolean
}

/** Rows of an edit that are shown folded. */
const foldedEdit = 12
const indent = 4
const tab = ' '.repeat(indent)

export const blockLines = (block: Block, look: Look): Line[] => {
  const { columns, isUnfolded } = look
  switch (block.kind) {
    case 'gap':
      return [[]]
    case 'prompt':
      return textLines(`› ${safe(block.text)}`, columns, 'bold', 2)
    case 'line': {
      const text = safe(block.text)
      const heading = /^(#{1,6}) +(.*?)(?: +#+)?$/.exec(text)
      if (heading !== null)
        return wrapSpans([{ text: `${heading[1]} `, tone: 'dim' }, ...inline(heading[2] ?? '', 'bold')], columns)
      if (/^ {0,3}([-*_] *){3,}$/.test(text)) return [[{ text: '─'.repeat(columns), tone: 'dim' }]]
      const [, quoted] = /^ *> ?(.*)$/.exec(text) ?? []
      if (quoted !== undefined) return wrapSpans([{ text: `│ ${quoted}`, tone: 'dim' }], columns, 2)
      const item = /^( *)(?:[-*+]|(\d+[.)])) +(\[[ xX]\] +)?(.*)$/.exec(text)
      return item === null ? wrapSpans(inline(text), columns) : itemLines(item, columns)
    }
    case 'table':
      return tableLines(block.rows.map(safe), columns)
    case 'code':
      return wrapSpans([{ text: '  ' }, ...highlight(safe(block.text), block.language, block.inside).spans], columns, 2)
    case 'thinking': {
      if (isUnfolded) return textLines(`${block.isFirst ? '✻ ' : '  '}${safe(block.text).trim()}`, columns, 'dim', 2)
      return block.isFirst ? [[{ text: `✻ ${oneLine(block.text)}`, tone: 'dim' }]] : []
    }
    case 'tool': {
      const { call, result, lines } = block
      const mark = result === null ? '○' : result.isError ? '✗' : '●'
      const tone = result === null ? 'yellow' : result.isError ? 'red' : 'green'
      return [
        [
          { text: `${call.isSubagent ? '  ↳ ' : ''}${mark} `, tone },
          { text: oneLine(call.name), tone: 'bold' },
          { text: ` ${oneLine(callSummary(call))}` },
          ...(result === null
            ? []
            : [
                {
                  text: ` · ${result.text.trim() === '' ? 'no output' : counted(result.text.trimEnd().split('\n').length, 'line')}`,
                  tone: 'dim' as const,
                },
              ]),
        ],
        ...editLines(editsOf(call.input), patchOf(call.input), lines, look),
        ...(look.isUnfolded ? inputLines(call.input, look.columns) : []),
        ...(result === null ? [] : resultLines(result, look)),
      ]
    }
    case 'note':
      return textLines(safe(block.text), columns, block.isError ? 'red' : 'dim')
    default:
      return isUnfolded ? [[{ text: `· ${oneLine(block.text)}`, tone: 'dim' }]] : []
  }
}

export const textLines = (text: string, columns: number, tone?: Span['tone'], hanging = 0): Line[] =>
  text.split('\n').flatMap((line, index) => {
    const begin = index > 0 && hanging > 0 ? ' '.repeat(hanging) : ''
    return wrapSpans([{ text: `${begin}${line}`, tone }], columns, hanging)
  })

export const documentLines = (text: string, look: Look): Line[] => {
  const { done, writing } = write(nothingWritten, text)
  return [...done, ...finish(writing)].flatMap((block) => blockLines(block, look))
}

const itemLines = ([, space = '', number, task, text = '']: RegExpExecArray, columns: number): Line[] => {
  const box = task === undefined ? '' : /x/i.test(task) ? '☑ ' : '☐ '
  const mark = `${space}${number ?? '•'} `
  const hanging = Math.min(mark.length, Math.floor(columns / 2))
  return wrapSpans([{ text: `${mark}${box}`, tone: 'dim' }, ...inline(text)], columns, hanging)
}

/** What went wrong is shown in any case. */
const resultLines = ({ text, isError }: ToolResult, { columns, isUnfolded }: Look): Line[] => {
  if (isUnfolded) return indented(textLines(safe(text).trimEnd(), columns - indent, isError ? 'red' : 'dim'))
  return isError ? [[{ text: `${tab}${oneLine(text)}`, tone: 'red' }]] : []
}

const indented = (lines: Line[]): Line[] => lines.map((line) => [{ text: tab }, ...line])

/** The input of a tool besides its edits, each field under its name. */
export const inputLines = (input: Record<string, unknown>, columns: number): Line[] => {
  return Object.entries(besidesEdits(input)).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
    return indented(textLines(`${oneLine(name)}: ${safe(text ?? '')}`, columns - indent, undefined, 2))
  })
}

/** An edit as a diff with line numbers; folded, only its beginning. */
export const editLines = (edits: readonly Edit[], patch: readonly string[], begins: Lines, look: Look): Line[] => {
  const lines = [
    ...edits.flatMap((edit, index) => diffLines(edit, begins[index] ?? null, look.columns)),
    ...patch.flatMap((line) => indented(wrapSpans([patchSpan(safe(line))], look.columns - indent, 2))),
  ]
  const left = lines.length - foldedEdit
  if (look.isUnfolded || left <= 1) return lines
  return [...lines.slice(0, foldedEdit), [{ text: `${tab}… ${counted(left, 'more row')}: Ctrl-O`, tone: 'dim' }]]
}

const signTones = { '+': 'green', '-': 'red', ' ': 'dim' } as const

/** A new file begins with line 1; of any other no number is better than a wrong one. */
const diffLines = ({ before, after }: Edit, begin: number | null, columns: number): Line[] => {
  const first = before === '' ? 1 : begin
  const lines = diffOf(before, after, first ?? 1)
  const digits = String(Math.max(0, ...lines.map(({ number }) => number))).length
  return lines.flatMap(({ sign, number, text }) => {
    const gutter = `${tab}${first === null ? '' : `${String(number).padStart(digits)} `}${sign} `
    const hanging = Math.min(gutter.length, Math.floor(columns / 2))
    return wrapSpans(
      [
        { text: gutter, tone: 'dim' },
        { text: safe(text), tone: signTones[sign] },
      ],
      columns,
      hanging,
    )
  })
}
