import type { HookMeta } from '../drivers/contract.ts'
import { findDriver } from '../drivers/registry.ts'
import { pass } from './fault.ts'
import { hookWaitMs } from '../agents/hooked-agents.ts'
import type { Journal } from '../contract/logs.ts'
import type { Features } from './features.ts'

/** One native hook call in, the CLI's own words out; null says nothing. */
export const answerHook = async (
  { agents, apis }: Pick<Features, 'agents' | 'apis'>,
  journal: Journal,
  driverName: string,
  payload: unknown,
  meta: HookMeta,
  handle: string | null,
): Promise<unknown> => {
  const { supervisor, canaries, outside } = agents
  if (canaries.hears(meta.agent ?? handle, meta.native)) return null
  const driver = findDriver(driverName)
  const decoded = outside.identify(driver, driver.hooks.decode(payload, meta), handle)
  const caller = supervisor.find(decoded.agent)
  if (caller?.admitsCall(decoded) !== true) return null
  caller.hearHook(decoded)
  const { id, handle: ownHandle } = caller.agent
  if (decoded.mode !== undefined) apis.channels.channels.noteMode(id, decoded.mode)
  const call = await caller.conversation.attributeCall(decoded, hookWaitMs)
  const about = { agent: id, handle: ownHandle }
  if (call.event === 'after_batch' || call.event === 'after_tool')
    for (const { name } of call.tools) journal.write('tool_call', { ...about, tool: name, event: call.native })
  const reply = await agents.decide(call)
  apis.memory.conclude(call, reply)
  const answer = driver.hooks.encode(call, reply, caller.agent.version)
  caller.settleHook(call, reply, answer !== null)
  if (answer !== null) {
    journal.write('inject', { ...about, event: call.native, characters: JSON.stringify(answer).length })
    pass('before_reply')
  }
  return answer
}
