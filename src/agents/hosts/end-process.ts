import type { ProcessRef } from '../../contract/agent.ts'
import { onBeat } from '../../base/util/beat.ts'
import { isGone, isSameProcess } from '../../base/util/process.ts'

const lookEveryMs = 100
/** How soon a death is noticed that nobody reports; cheap enough for many agents. */
const watchEveryMs = 1000

/** Calls back once when this very process is gone; returns how to stop watching. */
export const watchProcess = (ref: ProcessRef, onGone: () => void): (() => void) => {
  const unwatch = onBeat(watchEveryMs, () => {
    if (!isGone(ref.pid, ref.startTime)) return
    unwatch()
    onGone()
  })
  return unwatch
}

/** Asks, then insists; resolves only when the process is gone. A reused pid is never signalled. */
export const endProcess = async (ref: ProcessRef, timeoutMs: number): Promise<void> => {
  const start = performance.now()
  let [isAsked, isKilled] = [false, false]
  while (!isGone(ref.pid, ref.startTime)) {
    isAsked ||= signal(ref, 'SIGTERM')
    if (performance.now() - start >= timeoutMs) isKilled ||= signal(ref, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
}

/** False while nobody can tell whether it is still that process: then it is tried again. */
const signal = ({ pid, startTime }: ProcessRef, name: NodeJS.Signals): boolean => {
  if (!isSameProcess(pid, startTime)) return false
  try {
    process.kill(pid, name)
  } catch {
    return false
  }
  return true
}
