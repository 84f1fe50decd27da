import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Agent } from '../contract/agent.ts'
import { ReinError } from '../contract/errors.ts'
import type { HookCall } from '../contract/hooks.ts'
import type { HostedAgent } from '../contract/host.ts'
import { wakeSentence } from '../contract/wake.ts'
import type { Driver, Wake } from '../drivers/contract.ts'

const run = promisify(execFile)
const commandLimitMs = 20_000

/** A CLI may wrap the sentence into words of its own. */
export const isWake = ({ prompt }: HookCall): boolean => prompt?.includes(wakeSentence) ?? false

/** By its protocol, by a process that listens, by a command of its CLI, by keys in its terminal, or not at all. */
export type WakeWay = 'protocol' | 'waiter' | 'command' | 'keys' | 'none'

/** Starts a turn in an idle agent: with a text of its own, or with the fixed sentence, by the best way that its driver has. */
export const startTurn = async (
  driver: Driver,
  agent: Agent,
  hosted: HostedAgent,
  text: string | null,
): Promise<void> => {
  if (text !== null) return hosted.prompt(text)
  const wake = driver.wake(agent.version)
  const way = chosenWay(wake, agent)
  if (way === 'none' || (way === 'waiter' && !hosted.wakeWaiter())) throw new ReinError('refused', 'no_waiter')
  if (way === 'protocol' || way === 'keys') return hosted.prompt(wakeSentence)
  if (way === 'command') await runWake(driver, agent, wake)
}

/** How it would be woken now. */
export const wayToWake = (driver: Driver, agent: Agent, hosted: HostedAgent): WakeWay => {
  const way = chosenWay(driver.wake(agent.version), agent)
  return way === 'waiter' && !hosted.hasWaiter() ? 'none' : way
}

const chosenWay = (wake: Wake, { host, conversation, transcript }: Agent): WakeWay => {
  if (host === 'stream') return 'protocol'
  if (wake.kind === 'waiter') return 'waiter'
  if (wake.kind === 'paste') return host === 'outside' ? 'none' : 'keys'
  // Before its first prompt there is no conversation that a command could name.
  return conversation === null || transcript === null ? 'keys' : 'command'
}

const runWake = async (driver: Driver, agent: Agent, wake: Wake): Promise<void> => {
  const { conversation, transcript } = agent
  if (wake.kind !== 'command' || conversation === null || transcript === null) return
  const target = { program: agent.program ?? driver.program, conversation, transcript }
  const { program, args, env } = wake.command(target, wakeSentence)
  try {
    await run(program, args, { env: { ...process.env, ...env }, timeout: commandLimitMs })
  } catch (cause) {
    throw new ReinError('failed', `wake: ${(cause as Error).message}`)
  }
}
