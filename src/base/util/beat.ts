interface Listener {
  everyBeats: number
  run: () => void
}

const beatMs = 1000
const listeners = new Set<Listener>()
let timer: NodeJS.Timeout | null = null
let count = 0

/**
 * Calls back about every `ms`, together with all other listeners: a callback costs microseconds, but waking a sleeping
 * process costs a hundred times that. Keeps no process alive. Returns a function that stops it.
 */
export const onBeat = (ms: number, run: () => void): (() => void) => {
  const listener = { everyBeats: Math.max(1, Math.round(ms / beatMs)), run }
  listeners.add(listener)
  timer ??= setInterval(() => {
    count += 1
    for (const one of listeners) if (count % one.everyBeats === 0) one.run()
  }, beatMs).unref()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}
