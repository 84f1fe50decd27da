import type { Agent } from '../contract/agent.ts'

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
