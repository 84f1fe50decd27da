import type { ActionKind } from '../../contract/action.ts'
import type { Agent, PauseKind } from '../../contract/agent.ts'
import type { HookCall, Responder } from '../../contract/hooks.ts'
import type { Opinion } from '../../contract/opinion.ts'
import { changedFiles } from '../../contract/tool-input.ts'
import type { Driver } from '../../drivers/contract.ts'

type Asked = Pick<Agent, 'request'>
type WithActions = Pick<Driver, 'actions'>

const kinds: Partial<Record<ActionKind, PauseKind>> = {
  shell: 'bash',
  write: 'edit',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  unreadable: 'edit',
}

const words: Record<PauseKind, string> = { edit: 'each edit', bash: 'each command' }

/** Makes a question of each call that the user wants to see first, also of a sub-agent's. It allows nothing. */
export const pauseOnResponder = (
  agentOf: (id: string) => Asked | null,
  driver: (name: string) => WithActions,
): Responder => {
  const opinions = (call: HookCall): Opinion[] => {
    const wanted = agentOf(call.agent ?? '')?.request?.pauseOn ?? []
    const { actions } = driver(call.driver)
    // A command that holds a patch is of both kinds.
    const found = call.tools.flatMap(({ name, input }) =>
      actions(name, input).actions.flatMap(({ kind: one }): PauseKind[] => {
        // The effect of a foreign tool is judged by its name and input.
        if (one === 'mcp') return changedFiles(name, input).length > 0 ? ['edit'] : []
        const own = kinds[one]
        return own === undefined ? [] : [own]
      }),
    )
    const kind = found.find((one) => wanted.includes(one))
    if (kind === undefined) return []
    const reason = `Rein: a person wants to be asked about ${words[kind]} (--pause-on ${kind}).`
    return [{ by: `--pause-on ${kind}`, kind: 'ask', reason }]
  }
  return {
    name: 'pause-on',
    events: ['before_tool'],
    deadlineMs: 50,
    respond: (call) => ({ opinions: opinions(call) }),
    explain: opinions,
  }
}
