import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Agent } from '../contract/agent.ts'
import { ReinError } from '../contract/errors.ts'
import type { HostedAgent } from '../contract/host.ts'
import type { Driver, WakeCommand } from '../drivers/contract.ts'

const run = promisify(execFile)
const commandLimitMs = 20_000

/** The one sentence that starts a turn; what there is to say leaves in the reply to the prompt hook it causes. */
export const wakeSentence = 'Rein: there is something in your inbox; it is shown with this message.'

/** Waits before the second, third … wake in a row that led to nothing. */
const patienceMs = [0, 30_000, 60_000, 120_000, 300_000, 600_000]
/** The transcript of the turn that just ended is still being written. */
const settleMs = 400

export interface WakeMemory {
  lastWakeAt: number
  fruitless: number
}

/** How long to wait before an idle agent may be woken; null when it cannot be now. */
export const wakeDelay = (agent: Agent, memory: WakeMemory, quietMs: number, now: number): number | null => {
  if (agent.state !== 'idle') return null
  const patience = patienceMs[Math.min(memory.fruitless, patienceMs.length - 1)] ?? 0
  // Never more than the wait itself: a wall clock that was set back must not hold a wake up.
  const left = (since: number, wait: number): number => Math.min(wait, since + wait - now)
  return Math.max(
    0,
    left(agent.since, settleMs),
    left(memory.lastWakeAt, patience),
    agent.interruptedAt === null ? 0 : left(agent.interruptedAt, quietMs),
  )
}

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
