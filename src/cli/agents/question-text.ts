import type { Question } from '../../contract/agent.ts'
import { joinLines, printable } from '../format.ts'
import type { Style } from '../output.ts'

const asks = { permission: 'asks for permission', plan: 'wants its plan approved', question: 'asks' } as const

export const questionText = (handle: string, question: Question, style: Style): string => {
  const options = question.options ?? []
  return joinLines(
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
    options.length > 0 && ['', ...options.map((label, index) => `  ${index + 1}. ${printable(label)}`)],
    '',
    ...(question.kind === 'question'
      ? [`rein answer ${handle} TEXT    the name or number of an option, or your own words`]
      : [
          `rein answer ${handle} allow`,
          `rein answer ${handle} deny`,
          `rein answer ${handle} TEXT    denies it and says why`,
        ]),
  )
}
