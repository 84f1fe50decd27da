import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Agent } from '../contract/agent.ts'
import { ReinError } from '../contract/errors.ts'
import type { HookCall } from '../contract/hooks.ts'
import type { HostedAgent } from '../contract/host.ts'
import { wakeSentence } from '../contract/wake.ts'
import type { Driver, WakeCommand } from '../drivers/contract.ts'

const run = promisify(execFile)
const commandLimitMs = 20_000

/** Said to one that has been idle for long, where that is wanted. */
export const pollSentence =
  'Rein: look around: read what is in your inbox (rein inbox), and go on with what you were doing if it is not done.'

/** A CLI may wrap the sentence into words of its own. */
export const isWake = ({ prompt }: HookCall): boolean => prompt?.includes(wakeSentence) ?? false

/** Starts a turn in an idle agent by the best way that its driver has. */
export const startTurn = async (driver: Driver, agent: Agent, hosted: HostedAgent): Promise<void> => {
  const wake = driver.wake(agent.version)
  if (agent.host === 'stream') return hosted.prompt(wakeSentence)
  if (wake.kind === 'waiter' && hosted.wakeWaiter()) return
  if (wake.kind === 'waiter' || (wake.kind === 'paste' && agent.host === 'outside'))
    throw new ReinError('refused', 'no_waiter')
  const { conversation, transcript, program } = agent
  // Before its first prompt there is no conversation that a command could name.
  if (wake.kind === 'paste' || conversation === null || transcript === null) return hosted.prompt(wakeSentence)
  await runWake(wake.command({ program: program ?? driver.program, conversation, transcript }, wakeSentence))
}

const runWake = async ({ program, args, env }: WakeCommand): Promise<void> => {
  try {
    await run(program, args, { env: { ...process.env, ...env }, timeout: commandLimitMs })
  } catch (cause) {
    throw new ReinError('failed', `wake: ${(cause as Error).message}`)
  }
}
