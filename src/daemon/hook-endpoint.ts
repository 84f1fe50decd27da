import type { HookMeta } from '../drivers/contract.ts'
import { findDriver } from '../drivers/registry.ts'
import { pass } from './fault.ts'
import { settleMs } from '../agents/agents.ts'
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
  if (!supervisor.admits(decoded)) return null
  supervisor.heed(decoded)
  if (decoded.agent !== null && decoded.mode !== undefined) apis.channels.channels.noteMode(decoded.agent, decoded.mode)
  const call = await supervisor.attribute(decoded, settleMs)
  const about = { agent: call.agent ?? '', handle: supervisor.get(call.agent ?? '')?.handle ?? '' }
  if (call.event === 'after_batch' || call.event === 'after_tool')
    for (const { name } of call.tools) journal.write('tool_call', { ...about, tool: name, event: call.native })
  const reply = await agents.decide(call)
  apis.memory.conclude(call, reply)
  const version = supervisor.get(call.agent ?? '')?.version ?? driver.minVersion
  const answer = driver.hooks.encode(call, reply, version)
  supervisor.conclude(call, reply, answer !== null)
  if (answer !== null) {
    journal.write('inject', { ...about, event: call.native, characters: JSON.stringify(answer).length })
    pass('before_reply')
  }
  return answer
}
