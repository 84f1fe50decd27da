import type { Question } from '../../contract/agent.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import { choicesIn } from '../choices.ts'

/** A tool call that waits for a person's word. */
export const permissionFor = (id: string, tool: string, input: Record<string, unknown>): Question => ({
  id,
  kind: 'permission',
  tool,
  input,
  summary: `${tool}: ${textOf(input.command) ?? textOf(input.reason) ?? JSON.stringify(input)}`,
})

/** What the model itself asks. */
export const askedByModel = (id: string, input: Record<string, unknown>): Question => ({
  id,
  kind: 'question',
  tool: 'request_user_input',
  input,
  summary:
    choicesIn(input)
      .map(({ question }) => question)
      .join(' ') || 'A question.',
  ...optionsOf(input),
})

const optionsOf = (input: Record<string, unknown>): Pick<Question, 'options'> => {
  const [only, ...more] = choicesIn(input)
  return only === undefined || more.length > 0 ? {} : { options: only.labels }
}

/** The ids under which answers are given. */
export const questionIds = (input: Record<string, unknown>): string[] =>
  questionsIn(input).flatMap(({ id }) => textOf(id) ?? [])

const questionsIn = (input: Record<string, unknown>): Record<string, unknown>[] =>
  Array.isArray(input.questions) ? input.questions.filter(isObject) : []
