import { readFileSync } from 'node:fs'

/** When a process started, as an opaque string; null if there is no such process. */
export const processStartTime = (pid: number): string | null =>
  process.platform === 'linux' ? linuxStartTime(pid) : psStartTime(pid)

/** The same process as before: a pid alone is reused. */
export const isSameProcess = (pid: number, startTime: string): boolean => processStartTime(pid) === startTime

/** The parent of a process; null if there is no such process. */
export const parentPid = (pid: number): number | null => {
  const fields = process.platform === 'linux' ? linuxStat(pid) : null
  if (fields !== null) return Number(fields[1])
  const text = ps(pid, 'ppid=')
  return text === null ? null : Number(text)
}

/** A zombie has ended: its parent only has not looked yet. */
const linuxStartTime = (pid: number): string | null => {
  const fields = linuxStat(pid)
  return fields === null || fields[0] === 'Z' ? null : (fields[19] ?? null)
}

/** Fields of /proc/PID/stat after the command name, which may hold spaces and brackets. */
const linuxStat = (pid: number): string[] | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

const psStartTime = (pid: number): string | null => ps(pid, 'lstart=')

const ps = (pid: number, column: string): string | null => {
  try {
    // Loaded only where it is needed: every command imports this file.
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim() || null
  } catch {
    return null
  }
}
