import { textOf } from '../base/util/json.ts'
import { type Json, listObjects } from './json.ts'

/** One question of a model's own, with what it offers as answers. */
export interface Choice {
  question: string
  labels: string[]
  isMany: boolean
}

/** Claude Code, Codex and opencode ask in the same form. */
export const choicesIn = ({ questions }: Json): Choice[] =>
  listObjects(questions).map((one) => ({
    question: textOf(one.question) ?? '',
    labels: listObjects(one.options).map(({ label }) => textOf(label) ?? ''),
    isMany: one.multiSelect === true,
  }))

/** A text as the answer to each of the questions: a line for each, or the whole for all. */
export const answersTo = (choices: readonly Choice[], text: string): string[] => {
  const lines = text.split('\n')
  const isEach = lines.length === choices.length
  return choices.map((choice, index) => chosen(choice, isEach ? (lines[index] ?? '') : text))
}

/** The label that is meant, by its name or its number; else what was said, in free words. */
const chosen = ({ labels, isMany }: Choice, text: string): string => {
  const one = labelFor(labels, text)
  if (one !== null || !isMany) return one ?? text
  const several = text.split(',').map((part) => labelFor(labels, part))
  return several.every((label) => label !== null) ? several.join(', ') : text
}

/** The option that somebody names by its label, whatever its case, or by its number from 1. */
export const labelFor = (labels: readonly string[], text: string): string | null => {
  const wanted = text.trim().toLowerCase()
  const named = labels.find((label) => label.toLowerCase() === wanted)
  return named ?? (/^\d+$/.test(wanted) ? (labels[Number(wanted) - 1] ?? null) : null)
}
