import type { AllowedCall, Question } from '../../contract/agent.ts'
import type { Driver } from '../../drivers/contract.ts'
import { cutShown } from '../../base/util/visible.ts'
import { digestOf } from './held-calls.ts'

/** A person cannot look through more than this when they allow a call for good. */
const longestInput = 4000
export const mostAllowed = 50
/** The summaries of all come with each look at all agents. */
const longestSummary = 300

/** What is allowed from now on: this tool with exactly this input, whatever the model says of it. */
export const allowedCall = ({ tool, input, summary }: Question): AllowedCall => ({
  id: digestOf({ name: tool, input }),
  tool,
  input,
  summary: cutShown(summary, longestSummary),
})

export const isAllowed = (allowed: readonly AllowedCall[], { kind, tool, input }: Question): boolean =>
  kind === 'permission' && allowed.some(({ id }) => id === digestOf({ name: tool, input }))

type Asking = Pick<Driver, 'title'> & { hooks: Pick<Driver['hooks'], 'asksWhole'> }

/** Why the call that is asked about cannot be allowed for good; null: it can. */
export const whyOnlyOnce = ({ id, kind, input, why }: Question, { title, hooks }: Asking): string | null => {
  if (kind !== 'permission') return 'Only a permission for a tool can be given for good.'
  if (why !== undefined) return `Rein has a person asked about this each time: ${why}`
  if (id.startsWith('screen:')) return 'It is read from a screen, on which an agent can print anything.'
  if (hooks.asksWhole !== true) return `${title} does not tell Rein the whole call that it asks about.`
  if (Object.keys(input).length === 0) return 'It does not say what is called.'
  if (JSON.stringify(input).length > longestInput) return 'It is too long to be asked in the same words again.'
  return null
}
