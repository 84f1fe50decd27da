import type { Agent, PauseKind } from '../contract/agent.ts'
import type { HookCall, Responder, ToolCall } from '../contract/hooks.ts'
import type { Opinion } from '../contract/opinion.ts'
import { changedFiles } from '../contract/tool-input.ts'
import type { WithShell } from './step.ts'

type Asked = Pick<Agent, 'request'>

/** Which kind of call a person may want to be asked about; null for all others. */
export const kindOf = ({ shell }: WithShell, { name, input }: ToolCall): PauseKind | null => {
  if (shell.call(name, input) !== null) return 'bash'
  return changedFiles(name, input).length > 0 ? 'edit' : null
}

const words: Record<PauseKind, string> = { edit: 'each edit', bash: 'each command' }

/** Makes a question of each call that the person in charge wants to see first, also of a sub-agent's. It allows nothing. */
export const pauseOnResponder = (
  agentOf: (id: string) => Asked | null,
  driver: (name: string) => WithShell,
): Responder => {
  const opinions = (call: HookCall): Opinion[] => {
    const wanted = agentOf(call.agent ?? '')?.request?.pauseOn ?? []
    const kind = call.tools.map((tool) => kindOf(driver(call.driver), tool)).find((one) => one && wanted.includes(one))
    if (kind == null) return []
    const reason = `Rein: a person wants to be asked about ${words[kind]} (--pause-on ${kind}).`
    return [{ by: `--pause-on ${kind}`, kind: 'ask', reason }]
  }
  return {
    name: 'pause-on',
    events: ['before_tool'],
    order: 12,
    deadlineMs: 50,
    respond: (call) => ({ opinions: opinions(call) }),
    explain: opinions,
  }
}
