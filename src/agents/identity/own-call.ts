import type { Agent } from '../../contract/agent.ts'
import type { HookCall } from '../../contract/hooks.ts'
import { parentPid } from '../../base/util/process.ts'

/** The process that makes the call says whose it is; where no pid is told, the conversation has to. */
export const isOwnCall = ({ conversation, process }: Agent, call: HookCall): boolean => {
  if (call.pid === null) return call.conversation === conversation
  if (call.pid === process?.pid) return true
  const isKnown = conversation === null || call.conversation === null || call.conversation === conversation
  return isKnown && parentPid(call.pid) === process?.pid
}
