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

const inAnyCase = (text: string): string => text.trim().toLowerCase()

/** Words that decide by themselves, as the daemon reads them: a question of the model has only two, written just so. */
const isFixed = (label: string, kind: Question['kind']): boolean =>
  kind === 'question'
    ? label === 'allow' || label === 'deny'
    : ['allow', 'deny', 'yes', 'y', 'no', 'n'].includes(inAnyCase(label))

/**
 * The option by its name, or by its number where its name would mean something else. The daemon looks for a name before
 * it takes a number for one. Null: neither means this option alone.
 */
const wordFor = (labels: readonly string[], index: number, kind: Question['kind']): string | null => {
  const label = labels[index] ?? ''
  const isPlain = label !== '' && label === label.trim() && !isFixed(label, kind) && !/[,\n]/.test(label)
  const isOnly = labels.filter((one) => inAnyCase(one) === inAnyCase(label)).length === 1
  if (isPlain && isOnly) return label
  const number = String(index + 1)
  return labels.includes(number) ? null : number
}

/** Every answer that the daemon takes for this question, and no other. */
export const choicesFor = (question: Question, host: HostKind | null): Choices => {
  const { kind, options = [] } = question
  const abouts = findAbouts(question)
  const chosen = options.flatMap((label, index): AnswerButton[] => {
    const answer = wordFor(options, index, kind)
    return answer === null ? [] : [{ answer, label, tone: 'plain', about: abouts.get(label) ?? '' }]
  })
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

/** Empty where one of them cannot be named. */
const wordsFor = (labels: readonly string[], chosen: readonly number[]): string => {
  const words = chosen.map((index) => wordFor(labels, index, 'question'))
  return words.includes(null) ? '' : words.join(', ')
}

/** One line for each question; null while one has none. Own words count instead of what was chosen. */
export const joinAnswers = (asked: readonly SubQuestion[], given: readonly SubAnswer[]): string | null => {
  const lines = asked.map(({ options }, at) => {
    const { chosen = [], words = '' } = given[at] ?? {}
    const said = asked.length === 1 ? words.trim() : words.replaceAll(/\s+/g, ' ').trim()
    const labels = options.map(({ label }) => label)
    return said === '' ? wordsFor(labels, chosen) : said
  })
  return lines.some((line) => line === '') ? null : lines.join('\n')
}
