import type { z } from 'zod'
import { ReinError } from '../contract/errors.ts'
import type { Actor } from '../contract/identity.ts'

/** The caller of a tool, as the daemon has verified it, and its working directory. */
export interface ToolCaller {
  actor: Actor
  cwd: string
  /** Runs when the answer was handed over. */
  onAnswered: (run: () => void) => void
}

/** One tool, whatever its input is. */
interface Tool {
  description: string
  input: z.ZodObject
  isReadOnly: boolean
  /** Agents use it without asking: it reaches only Rein, and what Rein keeps for the agent and its team. `npm run docs` lists these for the drivers. */
  isFree: boolean
  /** The text that the model reads. */
  run(caller: ToolCaller, input: unknown): Promise<string>
}

export type Tools = Record<string, Tool>

/** The tools of all features; a name that two of them have is an error, because one would hide the other. */
export const joinTools = (groups: readonly (Tools | undefined)[]): Tools => {
  const joined: Tools = {}
  for (const [name, one] of groups.flatMap((tools = {}) => Object.entries(tools))) {
    if (Object.hasOwn(joined, name)) throw new Error(`Two features have an MCP tool ${name}.`)
    joined[name] = one
  }
  return joined
}

interface TypedTool<Input extends z.ZodObject> extends Omit<Tool, 'input' | 'run'> {
  input: Input
  run(caller: ToolCaller, input: z.output<Input>): Promise<string>
}

export const tool = <Input extends z.ZodObject>(given: TypedTool<Input>): Tool => ({
  ...given,
  run: (caller, input) => given.run(caller, given.input.parse(input)),
})

/** A request of a tool's caller, as handlers get it. */
export const asked = <Input>(actor: Actor, input: Input) => ({
  actor,
  input,
  params: {},
  signal: new AbortController().signal,
})

/** A model that is not a known agent must not pass for the user. */
export const agentOnly = ({ actor }: ToolCaller): Actor => {
  if (actor.kind === 'agent') return actor
  throw new ReinError('forbidden', 'Only agents speak in a team this way.', 'Rein does not know you as an agent.')
}

/** Others wrote this: in quotes and on one line it cannot pass for anything else. */
export const quoted = (text: string): string => JSON.stringify(text)
