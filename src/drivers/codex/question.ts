import type { Question } from '../../contract/agent.ts'
import { textOf } from '../../base/util/json.ts'
import { choicesIn } from '../choices.ts'
import { type Json, listObjects } from '../json.ts'

/** A tool call that waits for a person's word. */
export const permissionFor = (id: string, tool: string, input: Json): Question => ({
  id,
  kind: 'permission',
  tool,
  input,
  summary: `${tool}: ${textOf(input.command) ?? textOf(input.reason) ?? JSON.stringify(input)}`,
})

/** What the model itself asks. */
export const askedByModel = (id: string, input: Json): Question => ({
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

const optionsOf = (input: Json): Pick<Question, 'options'> => {
  const [only, ...more] = choicesIn(input)
  return only === undefined || more.length > 0 ? {} : { options: only.labels }
}

/** The ids under which answers are given. */
export const questionIds = (input: Json): string[] => listObjects(input.questions).flatMap(({ id }) => textOf(id) ?? [])
