interface Listener {
  everyBeats: number
  run: () => void
}

const beatMs = 1000
const listeners = new Set<Listener>()
let timer: NodeJS.Timeout | null = null
let count = 0

/**
 * Calls back about every `ms`, together with everybody else who asked: what is looked at costs microseconds, but each time
 * a sleeping process is woken costs a hundred times that. Keeps no process alive. Returns how to stop.
 */
export const onBeat = (ms: number, run: () => void): (() => void) => {
  const listener = { everyBeats: Math.max(1, Math.round(ms / beatMs)), run }
  listeners.add(listener)
  timer ??= setInterval(() => {
    count += 1
    for (const { everyBeats, run: look } of listeners) if (count % everyBeats === 0) look()
  }, beatMs).unref()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}
