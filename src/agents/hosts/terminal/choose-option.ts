import { basename } from 'node:path'
import type { Question } from '../../../contract/agent.ts'
import { ReinError } from '../../../contract/errors.ts'
import type { Answer } from '../../../contract/host.ts'
import { labelFor } from '../../../drivers/choices.ts'
import type { ScreenOption, ScreenReading } from '../../../drivers/contract.ts'
import { textOf } from '../../../util/ndjson.ts'
import { bare } from './careful.ts'

export type Dialog = Extract<ScreenReading, { kind: 'dialog' }>

/** What to press in a dialog, and what to write then. */
export interface Choice {
  keys: readonly string[]
  text: string | null
}

/** Only the dialog that was asked about is answered. */
export const chooseOption = (dialog: Dialog, question: Question, answer: Answer): Choice => {
  if (!isAbout(dialog, question)) {
    const hint = 'Look first: rein ps, or rein attach'
    throw new ReinError('refused', `Another dialog is open by now (${dialog.name}).`, hint)
  }
  return answer.kind === 'text' ? choiceFor(dialog, answer.text) : verdict(dialog, answer)
}

/** Without an option that just says no, the refusal is written where the dialog takes text. */
const verdict = (dialog: Dialog, answer: Exclude<Answer, { kind: 'text' }>): Choice => {
  const option = dialog.options.find(({ means }) => means === answer.kind)
  if (option !== undefined) return { keys: option.keys, text: null }
  const writable = dialog.options.find(({ takesText }) => takesText === true)
  if (answer.kind === 'deny' && dialog.asks === 'plan' && writable !== undefined)
    return { keys: writable.keys, text: answer.message ?? 'Not like this.' }
  throw impossible(dialog)
}

const choiceFor = (dialog: Dialog, text: string): Choice => {
  const label = labelFor(labelsOf(dialog), text)
  const option = dialog.options.find((one) => one.label === label)
  if (option !== undefined && option.takesText !== true) return { keys: option.keys, text: null }
  const writable = dialog.options.find(({ takesText }) => takesText === true)
  if (writable === undefined) throw impossible(dialog)
  return { keys: writable.keys, text }
}

const labelsOf = ({ options }: Dialog): string[] => options.map(({ label }: ScreenOption) => label)

const impossible = (dialog: Dialog): ReinError => {
  const offered = labelsOf(dialog).map((label, index) => `${index + 1}. ${label}`)
  return new ReinError('refused', `This dialog takes: ${offered.join(', ')}.`, 'Name one of them, or use: rein attach')
}

/** A wrapped line is the same text; what a dialog asks about stands in it. */
const isAbout = (dialog: Dialog, { id, kind, tool, input }: Question): boolean => {
  if (id.startsWith('screen:')) return dialog.name === tool
  if (dialog.asks !== kind) return false
  const subject = textOf(input['command'])?.split('\n')[0] ?? basename(textOf(input['file_path']) ?? '')
  return bare(dialog.text).includes(bare(subject).slice(0, 60))
}
