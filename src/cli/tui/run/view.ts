import { cellWidth, chop, fit, pad } from '../../cells.ts'
import type { Input } from '../terminal/input.ts'
import { type Line, oneLine, safe } from '../terminal/line.ts'
import type { Caret } from '../terminal/screen.ts'
import { rowsInSight, type Scroll } from '../terminal/scroll.ts'
import type { Size } from '../terminal/terminal.ts'
import type { Block } from './blocks.ts'
import { unfinished } from './markdown.ts'
import { isAtWork, isMoving, type Run } from './model.ts'
import { answerHint, isAnswerable, isAskedAbout, questionLines } from './question.ts'
import { blockLines, type Look } from './render.ts'
import { spinner, statusNumbers } from './status.ts'
import { blockAt } from './transcript.ts'

interface Picture {
  lines: Line[]
  caret: Caret
}

interface Pane {
  columns: number
  rows: number
}

const shownQueue = 3

export const view = (run: Run, size: Size, now: number): Picture => {
  const { columns, rows } = size
  const foot = footOf(run, size, now)
  const height = Math.max(0, rows - foot.lines.length)
  const shown = rowsInSight(scrollOf(run, columns), run.bottom, height).map(({ line }) => line)
  const body = [...shown, ...Array.from({ length: height - shown.length }, (): Line => [])]
  const lines = [...body, ...foot.lines].slice(-rows)
  const row = rows - foot.lines.length + foot.caret.row
  return { lines, caret: { row: Math.max(0, row), column: Math.min(foot.caret.column, columns - 1) } }
}

export const paneOf = (run: Run, size: Size, now: number): Pane => ({
  columns: size.columns,
  rows: Math.max(0, size.rows - footOf(run, size, now).lines.length),
})

/** A row above everything, the conversation, what is being said, and what is asked. */
export const scrollOf = (run: Run, columns: number): Scroll => {
  const { transcript, asked } = run
  const { first, end } = transcript
  const open = unfinished(run.writing)
  const look = { columns, isUnfolded: run.isUnfolded }
  const linesOf = (n: number): Line[] => {
    if (n < first) {
      const head = first === 0 ? oneLine(run.title) : `… ${first} earlier pieces are gone from here.`
      return [[{ text: fit(head, columns), tone: 'dim' }], []]
    }
    const kept = blockAt(transcript, n)
    if (kept?.kind === 'tool' && asked !== null && isAskedAbout(asked, kept.call)) return []
    if (kept !== undefined) {
      const before = rendered.get(kept)
      if (before?.columns === look.columns && before.isUnfolded === look.isUnfolded) return before.lines
      const lines = blockLines(kept, look)
      rendered.set(kept, { ...look, lines })
      return lines
    }
    const writing = open[n - end]
    if (writing !== undefined) return blockLines(writing, look)
    return asked === null ? [] : questionLines(asked, columns)
  }
  return {
    count: 1 + (end - first) + open.length + (asked === null ? 0 : 1),
    indexOf: (n) => Math.max(0, n - first + 1),
    rows: (index) => {
      const n = index + first - 1
      return linesOf(n).map((line, place, all) => ({ n, below: all.length - 1 - place, line }))
    },
  }
}

interface Rendered extends Look {
  lines: Line[]
}

/** Blocks never change, so their rows are made once for a width. */
const rendered = new WeakMap<Block, Rendered>()

interface Foot {
  lines: Line[]
  /** Within these lines. */
  caret: Caret
}

/** Everything below the conversation: notice, queue, status and input. */
const footOf = (run: Run, size: Size, now: number): Foot => {
  const { columns, rows } = size
  const waiting = [run.sending ?? '', ...run.queue].filter((text) => text !== '')
  const hidden = waiting.length - shownQueue
  const state = oneLine(run.doing ?? (run.sending === null ? run.state.replaceAll('_', ' ') : 'sending'))
  const facts = [`${isMoving(run) ? spinner(now) : '■'} ${state}`, ...statusNumbers(run, now), oneLine(run.model ?? '')]
  const left = fit(facts.filter((fact) => fact !== '').join(' · '), columns)
  const hint = hintOf(run, now)
  const room = columns - cellWidth(left) - cellWidth(hint)
  const tone = run.asked === null ? 'cyan' : 'yellow'
  const isLong = run.asked !== null && questionLines(run.asked, columns).length > rows - shownQueue
  const notice = run.notice ?? (isLong ? 'It is longer than the screen: PgUp shows its beginning.' : null)
  const above: Line[] = [
    ...(notice === null ? [] : [[{ text: oneLine(notice), tone: 'yellow' } as const]]),
    ...waiting.slice(0, shownQueue).map((text): Line => [{ text: `⋯ ${oneLine(text)}`, tone: 'dim' }]),
    ...(hidden > 0 ? [[{ text: `⋯ and ${hidden} more`, tone: 'dim' as const }]] : []),
    run.asked !== null && room < 3
      ? [{ text: pad(fit(hint, columns), columns), tone }]
      : [{ text: left, tone }, ...(room < 3 ? [] : [{ text: `${' '.repeat(room)}${hint}`, tone: 'dim' as const }])],
  ]
  const isAnswering = run.asked !== null && isAnswerable(run.asked, now)
  const written = inputLines(
    isAnswering ? run.answer : run.input,
    isAnswering ? '? ' : '› ',
    columns,
    Math.floor(rows / 3),
  )
  return {
    lines: [...above, ...written.lines],
    caret: { row: above.length + written.caret.row, column: written.caret.column },
  }
}

const hintOf = (run: Run, now: number): string => {
  if (run.asked !== null)
    return isAnswerable(run.asked, now) ? answerHint(run.asked.question) : 'a question: read it first'
  if (run.bottom !== null) return '↓ more below: PgDn, End'
  if (run.queue.length > 0) return '↑ takes back what waits'
  return isAtWork(run) ? 'Esc interrupts' : '/help'
}

/** As many lines of what is written as there is room for, around the cursor. */
const inputLines = (input: Input, prompt: string, columns: number, most: number): Foot => {
  const room = columns - cellWidth(prompt) - 1
  const before = chopped(input.text.slice(0, input.at), room)
  const [row, column] = [before.length - 1, cellWidth(before.at(-1) ?? '')]
  const lines = chopped(input.text, room)
  const height = Math.max(1, Math.min(lines.length, most))
  const first = Math.max(0, Math.min(row - height + 1, lines.length - height))
  return {
    lines: lines
      .slice(first, first + height)
      .map(
        (text, index): Line => [
          { text: first + index === 0 ? prompt : ' '.repeat(prompt.length), tone: 'bold' },
          { text },
        ],
      ),
    caret: { row: row - first, column: cellWidth(prompt) + column },
  }
}

const chopped = (text: string, columns: number): string[] =>
  safe(text)
    .split('\n')
    .flatMap((line) => chop(line, columns))
