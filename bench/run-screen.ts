import { withEvent } from '../src/cli/tui/run/events.ts'
import { press } from '../src/cli/tui/run/keys.ts'
import { emptyRun, type Run } from '../src/cli/tui/run/model.ts'
import type { ScreenEvent } from '../src/cli/tui/run/ports.ts'
import { view } from '../src/cli/tui/run/view.ts'
import { createStyle } from '../src/cli/output.ts'
import { paint } from '../src/cli/tui/terminal/line.ts'
import { type Findings, median, ms, percentile, times, type Topic } from './measure.ts'
import { settled } from './memory-model.ts'
import { Role, serveRole } from './role.ts'

const size = { columns: 120, rows: 40 }
const style = createStyle(true)
const lines = 10_000
const piecesPerLine = 5
/** So many pieces at the beginning and at the end are compared; those before them only warm up. */
const compared = 5_000
const hours = 2
const mebi = 2 ** 20

interface ScreenResult {
  first: number[]
  last: number[]
  page: number[]
  /** Bytes in use beyond those of the empty process. */
  live: number
  kept: number
}

const run = async (): Promise<Findings> => {
  const screen = new Role<object, ScreenResult>('run-screen', '')
  const result = await screen.ask({})
  screen.end()
  return toFindings(result)
}

/** One process that shows a run, with nothing else in it. */
export const runScreenRole = (): void => serveRole(measured)

const measured = (): ScreenResult => {
  const answer = answered()
  const before = settled().heapUsed
  const { transcript } = twoHours()
  const kept = transcript.end - transcript.first
  return { ...answer, live: settled().heapUsed - before, kept }
}

/** A piece arrives, and is drawn: as it would be if each came in a frame of its own. */
const drawn = (before: Run, event: ScreenEvent): Run => {
  const next = withEvent(before, event, 0)
  for (const line of view(next, size, 0).lines) paint(line, size.columns, style)
  return next
}

const answered = (): Omit<ScreenResult, 'live' | 'kept'> => {
  let screen = emptyRun('bench', false)
  const taken: number[] = []
  for (const text of piecesOf(lines)) {
    const started = performance.now()
    screen = drawn(screen, { kind: 'text', text })
    taken.push(performance.now() - started)
  }
  const page = Array.from({ length: 200 }, () => {
    const started = performance.now()
    screen = drawn(press(screen, 'pageup', size, 0)[0], { kind: 'text', text: 'more ' })
    return performance.now() - started
  })
  return { first: taken.slice(compared, 2 * compared), last: taken.slice(-compared), page }
}

/** Prose, lists and code, in pieces as a model sends them. */
function* piecesOf(count: number): Generator<string> {
  for (let line = 0; line < count; line += 1) {
    const text = lineOf(line)
    const length = Math.ceil(text.length / piecesPerLine)
    for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
  }
}

const lineOf = (line: number): string => {
  const place = line % 40
  if (place === 20) return '```ts\n'
  if (place === 39) return '```\n'
  if (place > 20) return `  const value${line} = await read("file-${line}.txt", ${line}) // why not\n`
  return place % 4 === 0
    ? `- item ${line} with **weight** and \`code\`\n`
    : `A line of prose, number ${line}, that says this and that.\n`
}

/** A tool every ten seconds, with what it printed, and twenty pieces of text in each second. */
const twoHours = (): Run => {
  let screen = emptyRun('bench', false)
  const pieces = piecesOf(Number.POSITIVE_INFINITY)
  for (let second = 0; second < hours * 3_600; second += 1) {
    for (let piece = 0; piece < 20; piece += 1)
      screen = withEvent(screen, { kind: 'text', text: pieces.next().value ?? '' }, 0)
    if (second % 10 === 0) screen = withTool(screen, String(second))
    view(screen, size, 0)
  }
  return screen
}

const withTool = (screen: Run, id: string): Run => {
  const call: ScreenEvent = { kind: 'tool', id, name: 'Bash', input: { command: `make part-${id}` }, isSubagent: false }
  const text = `${id} printed this line\n`.repeat(250)
  return withEvent(withEvent(screen, call, 0), { kind: 'tool_result', id, text, isError: false }, 0)
}

const toFindings = ({ first, last, page, live, kept }: ScreenResult): Findings => ({
  head: [`an answer of ${lines.toLocaleString('en')} lines at ${size.columns} × ${size.rows}`, 'p50', 'p99'],
  rows: [
    ['a piece of text arrives and is drawn, at the beginning', ms(median(first)), ms(percentile(first, 0.99))],
    ['the same at the end', ms(median(last)), ms(percentile(last, 0.99))],
    ['a page up while text arrives', ms(median(page)), ms(percentile(page, 0.99))],
  ],
  notes: [
    `At the end ${times(median(last) / median(first))} of the beginning. After ${hours} hours of text (20 pieces a second) and tools (one in ten seconds, 6 kB each): ${(live / mebi).toFixed(1)} MiB in use for the last ${kept.toLocaleString('en')} pieces.`,
  ],
  goals: [
    {
      what: 'a piece at the end, compared with one at the beginning:',
      value: median(last) / median(first),
      limit: 1.5,
      kind: 'at most',
    },
    { what: 'a piece arrives and is drawn, p99 in ms:', value: percentile(last, 0.99), limit: 16, kind: 'at most' },
    { what: 'memory in use after two hours, in MiB:', value: live / mebi, limit: 64, kind: 'at most' },
  ],
})

export const runScreen: Topic = { title: 'A run on a terminal', run }
