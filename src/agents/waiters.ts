import { closeSync, constants, openSync, readdirSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessRef } from '../contract/agent.ts'
import { processStartTime } from '../util/process.ts'

interface Waiter {
  path: string
  parent: number
  own: number
  since: number
}

/** The FIFOs on which `rein-wait` processes block: `<pid of the agent>.<own pid>` in a directory of the agent's own. */
const waitersIn = (dir: string): Waiter[] => {
  try {
    return readdirSync(dir).flatMap((name) => waiterAt(join(dir, name), name))
  } catch {
    return []
  }
}

const waiterAt = (path: string, name: string): Waiter[] => {
  const found = statSync(path, { throwIfNoEntry: false })
  const [parent, own] = name.split('.').map(Number)
  return found === undefined ? [] : [{ path, parent: parent ?? 0, own: own ?? 0, since: found.mtimeMs }]
}

/** Wakes the process through its newest waiter; false if none is listening. */
export const wakeThroughWaiter = (dir: string, process: ProcessRef): boolean => {
  const own = waitersIn(dir).filter((waiter) => waiter.parent === process.pid)
  return own.toSorted((a, b) => b.since - a.since).some((waiter) => say(waiter, 'wake'))
}

/** Whether it has one that is still there; nothing is said to it. */
export const hasWaiter = (dir: string, process: ProcessRef): boolean =>
  waitersIn(dir).some(({ parent, own }) => parent === process.pid && processStartTime(own) !== null)

/** Lets go the waiters of processes that are gone: they would swallow the next wake. */
export const releaseOrphans = (dir: string): void => {
  for (const waiter of waitersIn(dir)) if (processStartTime(waiter.parent) === null) say(waiter, 'release')
}

/** A FIFO whose waiter is gone is cleared away; one that is just being opened is left to it. */
const say = ({ path, own }: Waiter, word: 'wake' | 'release'): boolean => {
  try {
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    writeSync(fd, `${word}\n`)
    closeSync(fd)
    return true
  } catch {
    if (processStartTime(own) === null) remove(path)
    return false
  }
}

const remove = (path: string): void => {
  try {
    unlinkSync(path)
  } catch {
    return
  }
}
