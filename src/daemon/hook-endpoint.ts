import type { HookCall } from '../contract/hooks.ts'
import type { HookMeta } from '../drivers/contract.ts'
import { findDriver } from '../drivers/registry.ts'
import { pass } from './fault.ts'
import { settleMs } from '../agents/agents.ts'
import type { Services } from './services.ts'

/** One native hook call in, the CLI's own words out; null says nothing. */
export const answerHook = async (
  services: Services,
  driverName: string,
  payload: unknown,
  meta: HookMeta,
  handle: string | null,
): Promise<unknown> => {
  if (services.canaries.hears(meta.agent ?? handle, meta.native)) return null
  const driver = findDriver(driverName)
  const decoded = services.outside.identify(driver, driver.hooks.decode(payload, meta), handle)
  const { supervisor } = services
  if (!supervisor.admits(decoded)) return null
  supervisor.heed(decoded)
  if (decoded.agent !== null && decoded.mode !== undefined) services.channels.noteMode(decoded.agent, decoded.mode)
  const call = await supervisor.attribute(decoded, settleMs)
  journalTools(services, call)
  const reply = await services.decide(call)
  services.apis.memory.conclude(call, reply)
  const version = supervisor.get(call.agent ?? '')?.version ?? driver.minVersion
  const answer = driver.hooks.encode(call, reply, version)
  supervisor.conclude(call, reply, answer !== null)
  journalInjection(services, call, answer)
  if (answer !== null) pass('before_reply')
  return answer
}

const journalTools = ({ journal, supervisor }: Services, call: HookCall): void => {
  if (call.event !== 'after_batch' && call.event !== 'after_tool') return
  for (const { name } of call.tools)
    journal.write('tool_call', { ...aboutAgent(supervisor, call), tool: name, event: call.native })
}

const journalInjection = ({ journal, supervisor }: Services, call: HookCall, answer: unknown): void => {
  if (answer === null) return
  journal.write('inject', {
    ...aboutAgent(supervisor, call),
    event: call.native,
    characters: JSON.stringify(answer).length,
  })
}

const aboutAgent = (supervisor: Services['supervisor'], call: HookCall) => ({
  agent: call.agent ?? '',
  handle: supervisor.get(call.agent ?? '')?.handle ?? '',
})
