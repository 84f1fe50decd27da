import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { ProcessRef } from '../../contract/agent.ts'
import { startTimeIfTold } from '../../base/util/process.ts'
import { endProcess } from '../hosts/end-process.ts'

const [endLimitMs, giveUpMs] = [2000, 5000]

/** Ends what an agent's process left running: its id is in their environment, and in nobody else's. Returns how many there were. */
export const endLeftovers = async (id: string): Promise<number> => {
  const found = processesOf(id)
  // One that the system does not let go must not keep the agent from starting.
  await Promise.race([
    Promise.all(found.map((ref) => endProcess(ref, endLimitMs))),
    pause(giveUpMs, null, { ref: false }),
  ])
  return found.length
}

/** Only where the system shows environments; only processes of this user can be looked into. One that cannot be told is left alone. */
const processesOf = (id: string): ProcessRef[] => {
  // A canary that is started as its user would start it is no agent: its id is its handle.
  const marks = ['REIN_AGENT', 'REIN_HANDLE'].map((variable) => `\0${variable}=${id}\0`)
  const isMarked = (pid: number): boolean => {
    const variables = environment(pid)
    return marks.some((mark) => variables.includes(mark))
  }
  return pids()
    .filter((pid) => pid !== process.pid && isMarked(pid))
    .flatMap((pid) => {
      const startTime = startTimeIfTold(pid)
      return startTime === null ? [] : [{ pid, startTime }]
    })
}

const pids = (): number[] => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

const environment = (pid: number): string => {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`
  } catch {
    return ''
  }
}
