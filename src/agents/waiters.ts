import { closeSync, constants, openSync, readdirSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessRef } from '../contract/agent.ts'
import { processStartTime } from '../util/process.ts'

interface Waiter {
  path: string
  parent: number
  since: number
}

/** The FIFOs on which `rein-wait` processes block: `<pid of the agent>.<own pid>` in a directory of the agent's own. */
const waitersIn = (dir: string): Waiter[] => {
  try {
    return readdirSync(dir).map((name) => {
      const path = join(dir, name)
      return { path, parent: Number(name.split('.')[0]), since: statSync(path).mtimeMs }
    })
  } catch {
    return []
  }
}

/** Wakes the process through its newest waiter; false if none is listening. */
export const wakeThroughWaiter = (dir: string, process: ProcessRef): boolean => {
  const own = waitersIn(dir).filter((waiter) => waiter.parent === process.pid)
  return own.toSorted((a, b) => b.since - a.since).some((waiter) => say(waiter, 'wake'))
}

/** Lets go the waiters of processes that are gone: they would swallow the next wake. */
export const releaseOrphans = (dir: string): void => {
  for (const waiter of waitersIn(dir)) if (processStartTime(waiter.parent) === null) say(waiter, 'release')
}

/** Nobody reads a FIFO whose waiter was killed: it is cleared away. */
const say = ({ path }: Waiter, word: 'wake' | 'release'): boolean => {
  try {
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    writeSync(fd, `${word}\n`)
    closeSync(fd)
    return true
  } catch {
    remove(path)
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
