import type { Question } from '../../contract/agent.ts'
import { takesReason, takesWords } from '../../contract/question-answers.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import { quoted } from '../../base/util/shell.ts'
import { alignColumns, joinLines, printable } from '../format.ts'
import type { Style } from '../output.ts'

/** Who asks what, and by which means it is answered. */
interface Asking {
  question: Question
  host: AgentView['host']
  /** Exactly this call can be allowed for good. */
  canAlways?: boolean
}

const asks = { permission: 'asks for permission', plan: 'wants its plan approved', question: 'asks' } as const

export const questionText = (handle: string, asking: Asking, style: Style): string =>
  joinLines(requestText(handle, asking.question, style), '', ...answerLines(handle, asking))

/** All that is asked. */
export const requestText = (handle: string, question: Question, style: Style): string =>
  joinLines(
    style.yellow(`${handle} ${asks[question.kind]}: ${printable(question.tool)}`),
    question.why !== undefined && printable(question.why),
    ...(Object.keys(question.input).length === 0
      ? ['', printable(question.summary)]
      : Object.entries(question.input).flatMap(([name, value]) => {
          const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
          return [
            '',
            `${printable(name)}:`,
            ...printable(text)
              .split('\n')
              .map((line) => `  ${line}`),
          ]
        })),
  )

/** Each answer that is taken, as the command to type. */
export const answerLines = (handle: string, asking: Asking): string[] =>
  alignColumns(answersOf(asking).map(({ words, means }) => [`rein answer ${handle} ${words}`, printable(means)]))

interface Answer {
  words: string
  means: string
}

const answersOf = ({ question, host, canAlways = false }: Asking): Answer[] => {
  const { kind, options = [] } = question
  if (kind !== 'question')
    return [
      { words: 'allow', means: '' },
      ...(canAlways ? [{ words: 'allow --always', means: 'this call, also whenever it is asked for again' }] : []),
      { words: 'deny', means: '' },
      ...(takesReason(question, host)
        ? [{ words: quoted('Try another way.'), means: 'deny it and say why, in your own words' }]
        : []),
    ]
  const chosen = options.map((label, index) => ({ words: wordFor(options, label, index), means: label }))
  return takesWords(question)
    ? [...chosen, { words: quoted('You decide.'), means: 'or anything else in your own words' }]
    : chosen
}

/** `yes` or `no` where just one option begins so, else the number. */
const wordFor = (options: readonly string[], label: string, index: number): string => {
  const word = /^(Yes|No)\b/.exec(label)?.[1]
  const isOnly = word !== undefined && options.filter((one) => new RegExp(`^${word}\\b`).test(one)).length === 1
  return isOnly ? word.toLowerCase() : String(index + 1)
}
