import type { Agent } from '../../contract/agent.ts'
import type { ContextView } from '../../contract/routes/agents.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { TurnUsage } from '../../contract/turn.ts'
import { contextUse } from '../../drivers/context-window.ts'

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
