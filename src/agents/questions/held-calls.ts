import { createHash } from 'node:crypto'
import type { Question } from '../../contract/agent.ts'
import type { ToolCall } from '../../contract/hooks.ts'
import type { Answer } from '../../contract/host.ts'
import { inputSummary } from '../../contract/tool-input.ts'
import { isShellName } from '../../drivers/shell-names.ts'

/** What a person allows runs within this time, or is asked about again. */
const grantMs = 15 * 60 * 1000
const prefix = 'held:'

type Called = Pick<ToolCall, 'name' | 'input'>

/** The question about a call that was not run, because its CLI cannot ask. */
export const heldQuestion = (tool: Called, why: string): Question => ({
  id: `${prefix}${digestOf(tool)}`,
  kind: 'permission',
  tool: tool.name,
  input: tool.input,
  summary: `${tool.name}: ${inputSummary(tool.input)}`,
  why,
})

/** Why it was not run, and what comes of it. */
export const heldText = (why: string): string =>
  `${why}\n\nThis call was not run: a person is asked about it. Go on with something else, or stop; you will be told what the person says.`

/** What the agent is told when a person has answered. */
export const answeredText = ({ tool, input }: Question, answer: Answer): string => {
  const what = `the call that was held back (${tool}: ${inputSummary(input)})`
  if (answer.kind === 'allow')
    return `A person allows ${what}. Make exactly the same call again within 15 minutes: it runs once.`
  const reason = answer.kind === 'deny' ? answer.message : answer.text
  return `A person does not allow ${what}.${reason === null ? '' : ` They say: ${reason}`} Do not try it again.`
}

/** What a person has allowed of the calls that were held: exactly that call, once, for a while. A new daemon knows of none. */
export class Grants {
  readonly #until = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  give({ id }: Question): void {
    for (const [one, until] of this.#until) if (until <= this.#now()) this.#until.delete(one)
    this.#until.set(id, this.#now() + grantMs)
  }

  /** Whether this one is allowed: then it was, and is no more. */
  take(tool: Called): boolean {
    const isGranted = this.has(tool)
    if (isGranted) this.#until.delete(`${prefix}${digestOf(tool)}`)
    return isGranted
  }

  has(tool: Called): boolean {
    return (this.#until.get(`${prefix}${digestOf(tool)}`) ?? 0) > this.#now()
  }
}

/** What a model says of its command, in other words each time. Of any other tool such a field may be what is done. */
const said: readonly string[] = ['description', 'explanation', 'justification']

/** The same for calls that do the same. */
export const digestOf = ({ name, input }: Called): string => {
  const isCommand = isShellName(name) && ('command' in input || 'cmd' in input)
  const meant = Object.entries(input).filter(([field]) => !isCommand || !said.includes(field))
  return createHash('sha256')
    .update(JSON.stringify([name, meant]))
    .digest('hex')
    .slice(0, 32)
}
