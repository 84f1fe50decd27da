import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Agent, hasTerminal } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { HookCall } from '../../contract/hooks.ts'
import type { HostedAgent } from '../../contract/host.ts'
import { wakeSentence, type WakeWay } from '../../contract/wake.ts'
import type { Driver, Wake } from '../../drivers/contract.ts'

const run = promisify(execFile)
const commandLimitMs = 20_000
/** So long after a start or a stop its waiter may still be on its way; one that was there and has died is not. */
const armingMs = 5000

/** A CLI may wrap the sentence into words of its own. */
export const isWake = ({ prompt }: HookCall): boolean => prompt?.includes(wakeSentence) ?? false

/** Starts a turn in an idle agent: with a text of its own, or with the fixed sentence, by the best way that its driver has. */
export const startTurn = async (
  driver: Driver,
  agent: Agent,
  hosted: HostedAgent,
  text: string | null,
  now: number,
): Promise<void> => {
  if (text !== null) return hosted.prompt(text)
  const way = wayToWake(driver, agent, hosted)
  if (way === 'command') return runWake(driver, agent)
  if (way === 'protocol' || way === 'keys') return hosted.prompt(wakeSentence)
  if (way === 'keys_instead' && !isArming(agent, hosted, now)) return hosted.prompt(wakeSentence)
  if (way !== 'waiter' || !hosted.wakeWaiter()) throw new ReinError('refused', 'no_waiter')
}

const isArming = ({ since }: Agent, hosted: HostedAgent, now: number): boolean =>
  hosted.waiter() === 'none' && now - since < armingMs

/** How it would be woken now. */
export const wayToWake = (driver: Driver, agent: Agent, hosted: HostedAgent): WakeWay => {
  const way = chosenWay(driver.wake(agent.version), agent)
  if (way !== 'waiter' || hosted.waiter() === 'listens') return way
  return hasTerminal(agent.host) ? 'keys_instead' : 'none'
}

const chosenWay = (wake: Wake, { host, conversation, transcript }: Agent): WakeWay => {
  if (host === 'stream') return 'protocol'
  if (wake.kind === 'waiter') return 'waiter'
  if (wake.kind === 'paste') return host === 'outside' ? 'none' : 'keys'
  // Before its first prompt there is no conversation that a command could name.
  return conversation === null || transcript === null ? 'keys' : 'command'
}

const runWake = async (driver: Driver, agent: Agent): Promise<void> => {
  const { conversation, transcript } = agent
  const wake = driver.wake(agent.version)
  if (wake.kind !== 'command' || conversation === null || transcript === null) return
  const target = { program: agent.program ?? driver.program, conversation, transcript }
  const { program, args, env } = wake.command(target, wakeSentence)
  try {
    await run(program, args, { env: { ...process.env, ...env }, timeout: commandLimitMs })
  } catch (cause) {
    throw new ReinError('failed', `wake: ${(cause as Error).message}`)
  }
}
