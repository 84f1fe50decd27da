import { edit, emptyInput, type Input, toLine, withText } from '../terminal/input.ts'
import { lookDown, lookTop, lookUp } from '../terminal/scroll.ts'
import type { Size } from '../terminal/terminal.ts'
import { isAtWork, queued, type Run, withDrawn, withInputSent, withNote, withNotice, withTakenBack } from './model.ts'
import { type Asked, answerOf, isAnswerable } from './question.ts'
import { completed, helpText, isSlash, parseSlash, type Slash } from './slash.ts'
import { paneOf, scrollOf } from './view.ts'

/** What has to be done outside; everything else about a key is in the model. */
export type Command =
  | { kind: 'interrupt' }
  | { kind: 'answer'; asked: Asked; answer: string }
  | Exclude<Slash, { kind: 'help' | 'unknown' }>

type Pressed = [Run, Command | null]

/** What a key changes, and what it asks for. */
export const press = (run: Run, key: string, size: Size, now: number): Pressed => {
  if (key === 'drawn') return [withDrawn(run, now), null]
  const quiet = { ...run, notice: null, isLeaving: false }
  const looked = look(quiet, key, size, now)
  if (looked !== null) return [looked, null]
  if (key === 'ctrl-c') return leave(quiet, run.isLeaving)
  if (key === 'escape') return [quiet, isAtWork(quiet) ? { kind: 'interrupt' } : null]
  if (quiet.asked !== null && isAnswerable(quiet.asked, now)) return pressAnswer(quiet, quiet.asked, key)
  // Whoever writes something else has not read the question yet.
  const busy = quiet.asked === null ? quiet : { ...quiet, asked: { ...quiet.asked, keyAt: now } }
  return pressPrompt(busy, key)
}

/** Keys that only change what is in sight. */
const look = (run: Run, key: string, size: Size, now: number): Run | null => {
  const { columns, rows } = paneOf(run, size, now)
  const scroll = scrollOf(run, columns)
  const page = Math.max(1, rows - 1)
  const isEmpty = run.input.text === '' && run.answer.text === ''
  if (key === 'ctrl-o') return { ...run, isUnfolded: !run.isUnfolded }
  if (key === 'pageup') return { ...run, bottom: lookUp(scroll, run.bottom, page, rows).bottom }
  if (key === 'pagedown') return { ...run, bottom: lookDown(scroll, run.bottom, page) }
  if (key === 'home' && isEmpty) return { ...run, bottom: lookTop(scroll, rows) }
  return key === 'end' && isEmpty ? { ...run, bottom: null } : null
}

const leave = (run: Run, isLeaving: boolean): Pressed => {
  if (isLeaving) return [run, { kind: 'exit' }]
  if (isAtWork(run)) return [{ ...run, isLeaving: true, notice: 'Ctrl-C once more ends it.' }, { kind: 'interrupt' }]
  if (run.input.text !== '') return [{ ...run, input: withText(run.input, '') }, null]
  return [{ ...run, isLeaving: true, notice: 'Ctrl-C once more ends it.' }, null]
}

const pressAnswer = (run: Run, asked: Asked, key: string): Pressed => {
  const { text } = run.answer
  const answer = text === '' ? answerOf(asked.question, key) : null
  if (answer !== null) return answered(run, asked, answer)
  if (key !== 'enter') return [{ ...run, answer: edit(run.answer, key) }, null]
  return text.trim() === '' ? [run, null] : answered(run, asked, text.trim())
}

const answered = (run: Run, asked: Asked, answer: string): Pressed => [
  withNote({ ...run, asked: null, answer: emptyInput }, `→ ${asked.question.tool}: ${wordsOf(asked, answer)}`),
  { kind: 'answer', asked, answer },
]

const wordsOf = ({ question }: Asked, answer: string): string =>
  /^\d$/.test(answer) ? (question.options?.[Number(answer) - 1] ?? answer) : answer

const pressPrompt = (run: Run, key: string): Pressed => {
  const { input } = run
  switch (key) {
    case 'ctrl-d':
      return input.text === '' ? [run, { kind: 'exit' }] : [{ ...run, input: edit(input, 'delete') }, null]
    case 'tab':
      return [complete(run), null]
    case 'enter':
      return enter(run)
    case 'up':
      return [up(run), null]
    case 'down':
      return [{ ...run, input: toLine(input, 1) ?? edit(input, key) }, null]
    default:
      return [{ ...run, input: edit(input, key) }, null]
  }
}

const up = (run: Run): Run => {
  const line = toLine(run.input, -1)
  if (line !== null) return { ...run, input: line }
  return run.input.text === '' && run.queue.length > 0 ? withTakenBack(run) : { ...run, input: edit(run.input, 'up') }
}

const complete = (run: Run): Run => {
  if (!isSlash(run.input.text)) return run
  const { text, candidates } = completed(run.input.text)
  return { ...run, input: withText(run.input, text), notice: candidates.join('  ') || null }
}

const enter = (run: Run): Pressed => {
  const { text } = run.input
  if (text.trim() === '') return [run, null]
  if (text.endsWith('\\')) return [{ ...run, input: continued(run.input) }, null]
  if (isSlash(text)) return slash(run, parseSlash(text))
  return [queued(withInputSent(run), text.replace(/^\/\//, '/')), null]
}

/** A backslash at the end is a new line. */
const continued = (input: Input): Input => ({ ...withText(input, `${input.text.slice(0, -1)}\n`) })

const slash = (run: Run, asked: Slash): Pressed => {
  if (asked.kind === 'unknown') return [withNotice(run, asked.hint), null]
  const sent = { ...withInputSent(run), bottom: null }
  if (asked.kind === 'help') return [withNote(sent, helpText()), null]
  return [sent, asked]
}
