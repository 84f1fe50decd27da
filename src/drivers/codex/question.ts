import type { Question } from '../../contract/agent.ts'
import { textOf } from '../../base/util/json.ts'
import { readChoices } from '../choices.ts'
import { type Json, listObjects } from '../json.ts'

/** A tool call that waits for a person's word. */
export const askPermission = (id: string, tool: string, input: Json): Question => ({
  id,
  kind: 'permission',
  tool,
  input,
  summary: `${tool}: ${textOf(input.command) ?? textOf(input.reason) ?? JSON.stringify(input)}`,
})

/** What the model itself asks. */
export const askUser = (id: string, input: Json): Question => {
  const choices = readChoices(input)
  const [only, ...more] = choices
  const summary = choices.map(({ question }) => question).join(' ') || 'A question.'
  const options = only === undefined || more.length > 0 ? {} : { options: only.labels }
  return { id, kind: 'question', tool: 'request_user_input', input, summary, ...options }
}

/** The ids under which answers are given. */
export const listQuestionIds = (input: Json): string[] =>
  listObjects(input.questions).flatMap(({ id }) => textOf(id) ?? [])
