import { closeSync, constants, openSync, readdirSync, statSync, unlinkSync, watch, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessRef } from '../../contract/agent.ts'
import type { WaiterState } from '../../contract/host.ts'
import { isSameProcess, type Presence, presenceOf, startTimeIfTold } from '../../base/util/process.ts'
import { watchProcess } from '../hosts/end-process.ts'

interface Waiter {
  path: string
  parent: number
  own: number
  /** Null in the names that an older `rein-wait` gave. */
  startTime: string | null
  since: number
}

/** The FIFOs on which `rein-wait` processes block: `<pid of the agent>.<own pid>.<own start>` in a directory of the agent's own. */
const waitersIn = (dir: string): Waiter[] => {
  try {
    return readdirSync(dir).flatMap((name) => waiterAt(join(dir, name), name))
  } catch {
    return []
  }
}

const waiterAt = (path: string, name: string): Waiter[] => {
  const found = statSync(path, { throwIfNoEntry: false })
  const [parent, own, startTime = null] = name.split('.')
  return found === undefined
    ? []
    : [{ path, parent: Number(parent), own: Number(own), startTime, since: found.mtimeMs }]
}

/** A pid alone may belong to somebody else by now. */
const presence = ({ own, startTime }: Waiter): Presence => presenceOf(own, startTime)

/** Those of one process, the newest first. */
const waitersOf = (dir: string, { pid }: ProcessRef): Waiter[] =>
  waitersIn(dir)
    .filter(({ parent }) => parent === pid)
    .toSorted((a, b) => b.since - a.since)

/** Wakes the process through its newest waiter; false if none is listening. */
export const wakeThroughWaiter = (dir: string, process: ProcessRef): boolean =>
  waitersOf(dir, process).some((waiter) => say(waiter, 'wake'))

/** Whether somebody listens; nothing is said to it. One that ends by itself takes its FIFO along: what is left behind was killed. */
export const waiterState = (dir: string, process: ProcessRef): WaiterState => {
  const found = waitersOf(dir, process)
  if (found.some((waiter) => presence(waiter) !== 'gone')) return 'listens'
  return found.length === 0 ? 'none' : 'died'
}

/** Calls back whenever a waiter of this process was killed; returns how to stop watching. */
export const watchWaiters = (dir: string, process: ProcessRef, onDeath: () => void): (() => void) => {
  let [watched, unwatch] = ['', (): void => undefined]
  const look = (): void => {
    const [newest] = waitersOf(dir, process).filter((waiter) => presence(waiter) === 'there')
    if (newest === undefined || newest.path === watched) return
    const startTime = newest.startTime ?? startTimeIfTold(newest.own)
    if (startTime === null) return
    unwatch()
    watched = newest.path
    unwatch = watchProcess({ pid: newest.own, startTime }, () => {
      if (isSameProcess(process.pid, process.startTime) && waiterState(dir, process) === 'died') onDeath()
    })
  }
  const stopLooking = onNewFile(dir, look)
  look()
  return () => {
    stopLooking()
    unwatch()
  }
}

const onNewFile = (dir: string, run: () => void): (() => void) => {
  try {
    const watcher = watch(dir, { persistent: false }, run)
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    return () => undefined
  }
}

/** Lets go the waiters of processes that are gone: they would swallow the next wake. */
export const releaseOrphans = (dir: string): void => {
  for (const waiter of waitersIn(dir)) if (presenceOf(waiter.parent, null) === 'gone') say(waiter, 'release')
}

/** A FIFO whose waiter is gone is cleared away; one that is just being opened is left to it. */
const say = (waiter: Waiter, word: 'wake' | 'release'): boolean => {
  try {
    const fd = openSync(waiter.path, constants.O_WRONLY | constants.O_NONBLOCK)
    writeSync(fd, `${word}\n`)
    closeSync(fd)
    return true
  } catch {
    if (presence(waiter) === 'gone') remove(waiter.path)
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
