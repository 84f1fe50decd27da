import { edit, emptyInput, toLine, withText } from '../terminal/input.ts'
import { lookDown, lookTop, lookUp } from '../terminal/scroll.ts'
import type { Size } from '../terminal/terminal.ts'
import { isAtWork, queued, type Run, withDrawn, withInputSent, withNote, withNotice, withTakenBack } from './model.ts'
import { type Asked, answerOf, isAnswerable } from './question.ts'
import { completed, helpText, isSlash, parseSlash, type Slash } from './slash.ts'
import { paneOf, scrollOf } from './view.ts'

/** Side effects of a key; everything else it does is in the model. */
export type Command =
  | { kind: 'interrupt' }
  | { kind: 'answer'; asked: Asked; answer: string }
  | Exclude<Slash, { kind: 'help' | 'unknown' }>

type Pressed = [Run, Command | null]

export const press = (run: Run, key: string, size: Size, now: number): Pressed => {
  if (key === 'drawn') return [withDrawn(run, now), null]
  const quiet = { ...run, notice: null, isLeaving: false }
  const looked = look(quiet, key, size, now)
  if (looked !== null) return [looked, null]
  if (key === 'ctrl-c') {
    if (run.isLeaving) return [quiet, { kind: 'exit' }]
    if (isAtWork(quiet))
      return [{ ...quiet, isLeaving: true, notice: 'Ctrl-C once more ends it.' }, { kind: 'interrupt' }]
    if (quiet.input.text !== '') return [{ ...quiet, input: withText(quiet.input, '') }, null]
    return [{ ...quiet, isLeaving: true, notice: 'Ctrl-C once more ends it.' }, null]
  }
  if (key === 'escape') return [quiet, isAtWork(quiet) ? { kind: 'interrupt' } : null]
  if (quiet.asked !== null && isAnswerable(quiet.asked, now)) {
    const { text } = quiet.answer
    const answer = text === '' ? answerOf(quiet.asked.question, key) : null
    if (answer !== null) return answered(quiet, quiet.asked, answer)
    if (key !== 'enter') return [{ ...quiet, answer: edit(quiet.answer, key) }, null]
    return text.trim() === '' ? [quiet, null] : answered(quiet, quiet.asked, text.trim())
  }
  // A person who types something else has not read the question yet.
  const busy = quiet.asked === null ? quiet : { ...quiet, asked: { ...quiet.asked, keyAt: now } }
  const { input } = busy
  switch (key) {
    case 'ctrl-d':
      return input.text === '' ? [busy, { kind: 'exit' }] : [{ ...busy, input: edit(input, 'delete') }, null]
    case 'tab':
      return [complete(busy), null]
    case 'enter':
      return enter(busy)
    case 'up':
      return [up(busy), null]
    case 'down':
      return [{ ...busy, input: toLine(input, 1) ?? edit(input, key) }, null]
    default:
      return [{ ...busy, input: edit(input, key) }, null]
  }
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

const answered = (run: Run, asked: Asked, answer: string): Pressed => [
  withNote(
    { ...run, asked: null, answer: emptyInput },
    `→ ${asked.question.tool}: ${/^\d$/.test(answer) ? (asked.question.options?.[Number(answer) - 1] ?? answer) : answer}`,
  ),
  { kind: 'answer', asked, answer },
]

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
  if (text.endsWith('\\'))
    return [{ ...run, input: { ...withText(run.input, `${run.input.text.slice(0, -1)}\n`) } }, null]
  if (isSlash(text)) {
    const asked = parseSlash(text)
    if (asked.kind === 'unknown') return [withNotice(run, asked.hint), null]
    const sent = { ...withInputSent(run), bottom: null }
    if (asked.kind === 'help') return [withNote(sent, helpText()), null]
    return [sent, asked]
  }
  return [queued(withInputSent(run), text.replace(/^\/\//, '/')), null]
}
