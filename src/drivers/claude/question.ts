import type { Question } from '../../contract/agent.ts'
import { textOf } from '../../base/util/json.ts'
import { readChoices } from '../choices.ts'
import type { Json } from '../json.ts'

/** What a person is asked: by the tool that asks. */
export const questionOf = (id: string, tool: string, input: Json): Question => {
  if (tool === 'AskUserQuestion') {
    // Several questions have their own options, which are in the input.
    const choices = readChoices(input)
    const summary = choices.map(({ question }) => question).join(' ') || 'A question.'
    const [only] = choices.length === 1 ? choices : []
    return {
      id,
      kind: 'question',
      tool,
      input,
      ...(only === undefined ? { summary } : { summary, options: only.labels }),
    }
  }
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
