import type { Question } from '../../contract/agent.ts'
import { isObject, textOf } from '../../util/ndjson.ts'

/** What a person is asked: by the tool that asks. */
export const questionOf = (id: string, tool: string, input: Record<string, unknown>): Question => {
  if (tool === 'AskUserQuestion') return { id, kind: 'question', tool, input, summary: asked(input) }
  if (tool === 'ExitPlanMode')
    return { id, kind: 'plan', tool, input, summary: textOf(input.plan) ?? 'A plan is ready.' }
  return {
    id,
    kind: 'permission',
    tool,
    input,
    summary: `${tool}: ${textOf(input.command) ?? textOf(input.file_path) ?? JSON.stringify(input)}`,
  }
}

/** The texts of the questions: an answer is given under the text of its question. */
export const questionTexts = (input: Record<string, unknown>): string[] =>
  Array.isArray(input.questions) ? input.questions.filter(isObject).map((one) => textOf(one.question) ?? '') : []

const asked = (input: Record<string, unknown>): string => questionTexts(input).join(' ') || 'A question.'
