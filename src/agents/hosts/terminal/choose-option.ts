import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Question } from '../../../contract/agent.ts'
import { ReinError } from '../../../contract/errors.ts'
import type { Answer } from '../../../contract/host.ts'
import { labelFor } from '../../../drivers/choices.ts'
import type { ScreenOption, ScreenReading } from '../../../drivers/contract.ts'
import { textOf } from '../../../base/util/json.ts'
import { bare } from './careful.ts'

export type Dialog = Extract<ScreenReading, { kind: 'dialog' }>

/** What to press in a dialog, and what to write then. */
interface Choice {
  keys: readonly string[]
  text: string | null
  /** Which of them are left to press, by what the same dialog shows now; null where keys move no mark. */
  left: ((reading: ScreenReading) => readonly string[] | null) | null
}

/** Only the dialog that was asked about is answered. */
export const chooseOption = (dialog: Dialog, question: Question, answer: Answer): Choice => {
  if (!isAbout(dialog, question)) {
    const hint = 'Look first: rein ps, or rein attach'
    throw new ReinError('refused', `Another dialog is open by now, as far as can be told (${dialog.name}).`, hint)
  }
  return answer.kind === 'text' ? choiceFor(dialog, answer.text) : verdict(dialog, answer)
}

/** Without an option that just says no, the refusal is written where the dialog takes text. */
const verdict = (dialog: Dialog, answer: Exclude<Answer, { kind: 'text' }>): Choice => {
  const option = dialog.options.find(({ means }) => means === answer.kind)
  if (option !== undefined) return choiceOf(dialog, option)
  const writable = dialog.options.find(({ takesText }) => takesText === true)
  if (answer.kind === 'deny' && dialog.asks === 'plan' && writable !== undefined)
    return { ...choiceOf(dialog, writable), text: answer.message ?? 'Not like this.' }
  throw impossible(dialog)
}

const choiceFor = (dialog: Dialog, text: string): Choice => {
  const label = labelFor(labelsOf(dialog), text)
  const option = dialog.options.find((one) => one.label === label) ?? optionMeant(dialog, text)
  if (option !== undefined && option.takesText !== true) return choiceOf(dialog, option)
  const writable = dialog.options.find(({ takesText }) => takesText === true)
  if (writable === undefined) throw impossible(dialog)
  return { ...choiceOf(dialog, writable), text }
}

/** A plain yes or no, where just one option means it. */
const optionMeant = ({ options }: Dialog, text: string): ScreenOption | undefined => {
  const meaning = { yes: 'allow', y: 'allow', no: 'deny', n: 'deny' }[text.trim().toLowerCase()]
  const [only, ...others] = options.filter(({ means }) => means === meaning)
  return others.length === 0 ? only : undefined
}

const choiceOf = (dialog: Dialog, option: ScreenOption): Choice => ({
  keys: option.keys,
  text: null,
  left: option.isMarked === undefined ? null : (reading) => keysLeft(reading, dialog, option),
})

const keysLeft = (reading: ScreenReading, dialog: Dialog, { label }: ScreenOption): readonly string[] | null => {
  const isSame = reading.kind === 'dialog' && idOf(reading) === idOf(dialog)
  return isSame ? (reading.options.find((one) => one.label === label)?.keys ?? null) : null
}

const labelsOf = ({ options }: Dialog): string[] => options.map(({ label }: ScreenOption) => label)

const impossible = (dialog: Dialog): ReinError => {
  if (dialog.options.length === 0)
    return new ReinError('refused', 'Rein does not know which keys answer this.', 'Answer it yourself: rein attach')
  const offered = labelsOf(dialog).map((label, index) => `${index + 1}. ${label}`)
  return new ReinError(
    'refused',
    `This dialog takes: ${offered.join(', ')}.`,
    'Give the number or the words of one of them. Or answer it yourself: rein attach',
  )
}

/**
 * Its name among the questions: another dialog has another, the same keeps it in a terminal of another size.
 * It has 128 bits, so that an agent finds no harmless text with the name of a harmful one.
 */
export const idOf = ({ name, about }: Dialog): string =>
  `screen:${name}:${createHash('sha256').update(joinWrapped(about)).digest('hex').slice(0, 32)}`

/** A terminal echoes what it is sent before its program reads keys (`^[[O`), until the program draws over it. */
const echoedSequence = /\^\[(?:\[[\d;?<=>]*[A-Za-z~]|O[A-Z]|\][\w;:/?#]*(?:\^G|\^\[\\))/g

/** A wrapped line is the same text, and so is a framed one. */
const joinWrapped = (text: string): string =>
  bare(text)
    .replaceAll(echoedSequence, '')
    .replaceAll(/[\u2500-\u257f]/g, '')

/** What a dialog asks about stands in it, but for a plan: there is only one at a time. */
export const isAbout = (dialog: Dialog, { id, kind, tool, input }: Question): boolean => {
  if (id.startsWith('screen:')) return id === idOf(dialog)
  if (dialog.asks !== kind || kind === 'plan') return dialog.asks === kind
  const subjects = subjectsOf(tool, input)
  // Some tell no more than that the model has a question; its answer gives no leave.
  if (kind === 'question' && subjects.length === 0) return true
  return subjects.some((subject) => joinWrapped(dialog.about).includes(subject))
}

/** A command or a file says it all; else anything that the tool is given, or the name that its MCP server gave it. */
const subjectsOf = (tool: string, input: Record<string, unknown>): string[] => {
  const [command, file] = [textOf(input['command']), textOf(input['file_path'])]
  if (command !== null || file !== null) return [startOf(command ?? basename(file ?? ''))].filter(Boolean)
  const [, ...named] = tool.split('__')
  const texts = [...textsIn(input), ...named.slice(-1)]
  return texts.map((text) => startOf(isPath(text) ? basename(text) : text)).filter(({ length }) => length >= 3)
}

const isPath = (text: string): boolean => /^\/[^\n]+$/.test(text)

/** A long text may be cut off. */
const startOf = (text: string): string => joinWrapped(text.trimStart().split('\n')[0] ?? '').slice(0, 60)

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
