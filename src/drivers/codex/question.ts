import type { Question } from '../../contract/agent.ts'
import { isObject, textOf } from '../../util/ndjson.ts'

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
  summary: questionsIn(input).map(textOfQuestion).join(' ') || 'A question.',
})

/** The ids under which answers are given. */
export const questionIds = (input: Record<string, unknown>): string[] =>
  questionsIn(input).flatMap(({ id }) => textOf(id) ?? [])

const questionsIn = (input: Record<string, unknown>): Record<string, unknown>[] =>
  Array.isArray(input.questions) ? input.questions.filter(isObject) : []

const textOfQuestion = (one: Record<string, unknown>): string => textOf(one.question) ?? ''
