import type { z } from 'zod'
import { contextView } from '../../agents/context/context-view.ts'
import type { Actor } from '../../contract/identity.ts'
import type { ContextInput, ContextView } from '../../contract/routes/agents.ts'
import type { AgentParts } from './parts.ts'

/** How far back the newest reply is looked for. */
const newestRecords = 200
const writtenMs = 500

/** How full an agent's context is, by what its CLI wrote down with the newest reply. */
export const context = async (
  parts: AgentParts,
  actor: Actor,
  input: z.infer<typeof ContextInput>,
): Promise<ContextView> => {
  const { id } = await parts.finder.required(actor, input)
  await parts.supervisor.agent(id).conversation.catchUp(writtenMs)
  const agent = await parts.finder.required(actor, input)
  const records = parts.log.readNewest('turns', id, newestRecords)
  return contextView(agent, records, parts.settings['agents.context_window'])
}
