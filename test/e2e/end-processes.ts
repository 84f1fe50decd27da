import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { endProcess } from '../support/kill.ts'

const lookEveryMs = 10

/**
 * Ends all that was started for a test: daemon, agents, terminals and what these started have its directory in their
 * environment. They are killed, because a test's end needs no farewell, and together, so that none starts another again.
 */
export const endProcessesIn = async (root: string): Promise<void> => {
  for (let found = processesIn(root); found.length > 0; found = processesIn(root)) {
    for (const pid of found) endProcess(pid)
    await pause(lookEveryMs)
  }
}

/** Without those that are dead and not buried: they have no environment any more. */
const processesIn = (root: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(root))
    .map(Number)

const environmentOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
