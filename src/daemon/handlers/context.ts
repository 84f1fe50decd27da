import type { z } from 'zod'
import type { Agent } from '../../contract/agent.ts'
import type { ContextInput, ContextView } from '../../contract/routes/agents.ts'
import type { Actor } from '../../contract/identity.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { TurnUsage } from '../../contract/turn.ts'
import { contextUse } from '../../drivers/context-window.ts'
import type { Services } from '../services.ts'

/** How far back the newest reply is looked for. */
const newestRecords = 200
const writtenMs = 500

/** How full an agent's context is, by what its CLI wrote down with the newest reply. */
export const context = async (
  services: Services,
  actor: Actor,
  input: z.infer<typeof ContextInput>,
): Promise<ContextView> => {
  const { id } = await services.finder.required(actor, input)
  await services.supervisor.catchUp(id, writtenMs)
  const agent = await services.finder.required(actor, input)
  const records = services.log.readNewest('turns', id, newestRecords)
  return contextView(agent, records, services.settings['agents.context_window'])
}

export const contextView = (agent: Agent, records: readonly AnyRecord[], setWindow: number): ContextView => {
  const { handle, project, conversation } = agent
  const reply = newestReply(records, conversation)
  const { tokens, window } =
    reply === null
      ? { tokens: null, window: setWindow > 0 ? setWindow : null }
      : contextUse(reply.usage, setWindow, agent.model)
  const model = reply?.usage.model ?? null
  const percent = tokens === null || window === null ? null : Math.round((tokens / window) * 100)
  return { handle, project, conversation, model, tokens, window, percent, at: reply?.at ?? null }
}

interface Reply {
  usage: TurnUsage
  at: number
}

const newestReply = (records: readonly AnyRecord[], conversation: string | null): Reply | null => {
  const replies = records.flatMap((record): Reply[] => {
    if (record.type !== 'turn.entry' || record.body.conversation !== conversation) return []
    const { usage } = record.body
    return usage === undefined ? [] : [{ usage, at: record.at }]
  })
  return replies.at(-1) ?? null
}
