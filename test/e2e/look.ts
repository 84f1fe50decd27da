import { setTimeout as pause } from 'node:timers/promises'

/** A look may cost a process: what is waited for needs the processor more. */
const betweenLooksMs = 30

/** What `look` sees once it is what `isIt` wants, for what tells nobody when it changes. */
export const lookUntil = async <T>(look: () => T | Promise<T>, isIt: (seen: T) => boolean): Promise<T> => {
  for (;;) {
    const seen = await look()
    if (isIt(seen)) return seen
    await pause(betweenLooksMs)
  }
}
