import type { HostKind, Question } from '../../contract/agent.ts'
import { isLoginQuestion } from '../../contract/login-question.ts'
import { takesReason, takesWords } from '../../contract/question-answers.ts'

/** One way to answer: what is sent, and what stands on the button. */
export interface AnswerButton {
  answer: string
  label: string
  tone: 'allow' | 'deny' | 'plain'
  /** What an option means, in the words of who asks. */
  about: string
}

/** Own words beside the buttons: they answer, or say why not. */
type Words = 'answer' | 'denial' | null

interface Choices {
  buttons: readonly AnswerButton[]
  words: Words
}

/** Words that mean something of their own where an option is to be named. */
const fixed: readonly string[] = ['allow', 'deny', 'yes', 'y', 'no', 'n']
const isFixed = (word: string): boolean => fixed.includes(word.trim().toLowerCase())

/** The option by its name, or by its number where its name would mean something else. */
const wordFor = (labels: readonly string[], index: number): string => {
  const label = labels[index] ?? ''
  const isPlain = !isFixed(label) && label.trim() !== '' && !/[,\n]/.test(label)
  const isOnly = labels.filter((one) => one.trim().toLowerCase() === label.trim().toLowerCase()).length === 1
  return isPlain && isOnly ? label : String(index + 1)
}

/** Every answer that the daemon takes for this question, and no other. */
export const choicesFor = (question: Question, host: HostKind | null): Choices => {
  const { kind, options = [] } = question
  const abouts = findAbouts(question)
  const chosen = options.map(
    (label, index): AnswerButton => ({
      answer: wordFor(options, index),
      label,
      tone: 'plain',
      about: abouts.get(label) ?? '',
    }),
  )
  if (isLoginQuestion(question) && options.length === 0) return { buttons: [], words: null }
  if (kind === 'question') return { buttons: chosen, words: takesWords(question) ? 'answer' : null }
  return {
    buttons: [
      { answer: 'allow', label: kind === 'plan' ? 'Approve' : 'Allow once', tone: 'allow', about: '' },
      { answer: 'deny', label: kind === 'plan' ? 'Keep planning' : 'Deny', tone: 'deny', about: '' },
      ...chosen,
    ],
    words: host !== null && takesReason(question, host) ? 'denial' : null,
  }
}

/** Words that say why not, and choose nothing: the daemon takes a word like "yes", or the name of an option, for an answer. */
export const asReason = (words: string, { options = [] }: Pick<Question, 'options'>): string => {
  const said = words.trim()
  const isName = !/\s/.test(said) || options.some((label) => label.trim().toLowerCase() === said.toLowerCase())
  return isName ? `${said}.` : said
}

/** One of the questions of a model's own that are asked together. */
export interface SubQuestion {
  question: string
  header: string
  options: readonly { label: string; about: string }[]
  isMany: boolean
}

type Json = Record<string, unknown>
const textAt = (value: Json, name: string): string => (typeof value[name] === 'string' ? value[name] : '')
const objectsIn = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((one): one is Json => typeof one === 'object' && one !== null) : []

/** What a model asks of its own, in the form that the CLIs share; empty: it asks in another way. */
export const subQuestions = ({ kind, input }: Pick<Question, 'kind' | 'input'>): SubQuestion[] =>
  kind !== 'question'
    ? []
    : objectsIn(input['questions']).map((one) => ({
        question: textAt(one, 'question'),
        header: textAt(one, 'header'),
        options: objectsIn(one['options']).map((option) => ({
          label: textAt(option, 'label'),
          about: textAt(option, 'description'),
        })),
        isMany: one['multiSelect'] === true,
      }))

const findAbouts = (question: Question): Map<string, string> =>
  new Map(subQuestions(question).flatMap(({ options }) => options.map(({ label, about }) => [label, about] as const)))

/** What was chosen and written for one of them. */
export interface SubAnswer {
  chosen: readonly number[]
  words: string
}

/** One line for each question; null while one has none. Own words count instead of what was chosen. */
export const joinAnswers = (asked: readonly SubQuestion[], given: readonly SubAnswer[]): string | null => {
  const lines = asked.map(({ options }, at) => {
    const { chosen = [], words = '' } = given[at] ?? {}
    const said = asked.length === 1 ? words.trim() : words.replaceAll(/\s+/g, ' ').trim()
    const labels = options.map(({ label }) => label)
    return said === '' ? chosen.map((index) => wordFor(labels, index)).join(', ') : said
  })
  return lines.some((line) => line === '') ? null : lines.join('\n')
}
