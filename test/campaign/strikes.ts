import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPid } from '../../src/base/util/process.ts'
import { killProcess } from '../support/kill.ts'

const lookMs = 2
const huntMs = 1_000

/** Waits for a hook client of this agent and kills it, or the program through which it asks, at any moment of its short life. */
export const strikeHook = async (agent: () => number | null, random: () => number): Promise<boolean> => {
  const deadline = Date.now() + huntMs
  while (Date.now() < deadline) {
    const parent = agent()
    const client = parent === null ? undefined : childrenOf(parent).find(isHookClient)
    if (client === undefined || parent === null) await delay(lookMs)
    else return strike(parent, client, random)
  }
  return false
}

const strike = async (agent: number, client: number, random: () => number): Promise<boolean> => {
  await delay(random() * 15)
  const [inner] = childrenOf(client)
  const victim = inner !== undefined && random() < 0.3 ? inner : client
  return parentPid(client) === agent && kill(victim)
}

export const kill = (pid: number): boolean => {
  try {
    killProcess(pid)
    return true
  } catch {
    return false
  }
}

/** Any thread may have started them. */
export const childrenOf = (pid: number): number[] => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.flatMap((thread) =>
      readProc(`${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

const isHookClient = (pid: number): boolean => readProc(`${pid}/cmdline`).includes('rein-hook')

/** A file of /proc; empty if its process is gone. */
export const readProc = (file: string): string => {
  try {
    return readFileSync(`/proc/${file}`, 'latin1').trim()
  } catch {
    return ''
  }
}
