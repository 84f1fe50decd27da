import type { Question } from '../../contract/agent.ts'
import type { Answer } from '../../contract/host.ts'
import { labelFor } from '../../drivers/choices.ts'

const ending = /\b(?:exit|quit)\b/i

/** Whether this answer chooses the option by which a dialog of the CLI itself ends it, like "No, exit". */
export const isEnding = ({ id, options = [] }: Question, answer: Answer): boolean => {
  if (!id.startsWith('screen:')) return false
  const said = answer.kind === 'text' ? answer.text.trim() : answer.kind
  const label = labelFor(options, said)
  if (label !== null) return ending.test(label)
  return /^(?:deny|no|n)$/i.test(said) && options.some((one) => /^No\b/.test(one) && ending.test(one))
}
