import { textOf } from '../base/util/json.ts'
import { type Json, listObjects } from './json.ts'

/** One question of a model's own, with what it offers as answers. */
interface Choice {
  question: string
  labels: string[]
  isMany: boolean
}

/** Claude Code, Codex and opencode ask in the same form. */
export const readChoices = ({ questions }: Json): Choice[] =>
  listObjects(questions).map((one) => ({
    question: textOf(one.question) ?? '',
    labels: listObjects(one.options).map(({ label }) => textOf(label) ?? ''),
    isMany: one.multiSelect === true,
  }))

/** Answers each question with one line of the text, or all with the whole; a label or its number chooses an option. */
export const chooseAnswers = (choices: readonly Choice[], text: string): string[] => {
  const lines = text.split('\n')
  const isEach = lines.length === choices.length
  return choices.map(({ labels, isMany }, index) => {
    const said = isEach ? (lines[index] ?? '') : text
    const one = labelFor(labels, said)
    if (one !== null || !isMany) return one ?? said
    const several = said.split(',').map((part) => labelFor(labels, part))
    return several.every((label) => label !== null) ? several.join(', ') : said
  })
}

/** Finds an option by its label, in any case, or by its number from 1. */
export const labelFor = (labels: readonly string[], text: string): string | null => {
  const wanted = text.trim().toLowerCase()
  const named = labels.find((label) => label.toLowerCase() === wanted)
  return named ?? (/^\d+$/.test(wanted) ? (labels[Number(wanted) - 1] ?? null) : null)
}
