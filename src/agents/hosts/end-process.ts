import type { ProcessRef } from '../../contract/agent.ts'
import { onBeat } from '../../util/beat.ts'
import { isSameProcess } from '../../util/process.ts'

const lookEveryMs = 100
/** How soon a death is noticed that nobody reports; cheap enough for many agents. */
const watchEveryMs = 1000

/** Calls back once when this very process is gone; returns how to stop watching. */
export const watchProcess = (ref: ProcessRef, onGone: () => void): (() => void) => {
  const unwatch = onBeat(watchEveryMs, () => {
    if (isSameProcess(ref.pid, ref.startTime)) return
    unwatch()
    onGone()
  })
  return unwatch
}

/** Asks, then insists; resolves only when the process is gone. A reused pid is never signalled. */
export const endProcess = async (ref: ProcessRef, timeoutMs: number): Promise<void> => {
  signal(ref, 'SIGTERM')
  const insist = setTimeout(() => signal(ref, 'SIGKILL'), timeoutMs)
  while (isSameProcess(ref.pid, ref.startTime)) await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  clearTimeout(insist)
}

const signal = ({ pid, startTime }: ProcessRef, name: NodeJS.Signals): void => {
  if (!isSameProcess(pid, startTime)) return
  try {
    process.kill(pid, name)
  } catch {
    return
  }
}
