import { readFileSync, statSync } from 'node:fs'
import { readLockLimit } from './lock-limit.ts'

/** The facts about one process. They do not change, but for the parent, which is init once the real one has ended. */
export interface Forebear {
  pid: number
  startTime: string
  /** The process that began its session: children keep it, unless they begin one of their own. */
  session: number
  uid: number
  /** The environment that it was started with; empty where that is not readable. */
  environment: string[]
  lockLimit: number
}

/** A process and all that it descends from, itself first; empty if there is no such process. */
export const readLineage = (pid: number): Forebear[] => {
  const found: Forebear[] = []
  for (let one = readForebear(pid); one !== null; one = readParent(one)) found.push(one.forebear)
  return found
}

/** Whether it is the same process as before: a pid alone is reused. */
export const isStillThere = ({ pid, startTime }: Pick<Forebear, 'pid' | 'startTime'>): boolean =>
  readStat(pid)?.startTime === startTime

type WithParent = { forebear: Forebear; parent: number }

/** A parent that has just ended is not the parent any more. */
const readParent = ({ forebear, parent }: WithParent): WithParent | null => {
  for (let known = parent, next: number | undefined; known > 0; known = next) {
    const found = readForebear(known)
    if (found !== null) return found
    next = readStat(forebear.pid)?.parent
    if (next === undefined || next === known) return null
  }
  return null
}

const readForebear = (pid: number): WithParent | null => {
  const stat = readStat(pid)
  if (stat === null) return null
  const { parent, ...told } = stat
  const environment = orNull(() => readFileSync(`/proc/${pid}/environ`, 'utf8'))?.split('\0') ?? []
  const [uid, lockLimit] = [orNull(() => statSync(`/proc/${pid}`).uid), orNull(() => readLockLimit(pid))]
  return uid === null || lockLimit === null ? null : { forebear: { pid, ...told, uid, environment, lockLimit }, parent }
}

/** Fields of /proc/PID/stat are counted after the command's name, which may hold spaces and brackets. */
const readStat = (pid: number): (Pick<Forebear, 'startTime' | 'session'> & { parent: number }) | null => {
  const stat = orNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), session: Number(fields[3]), startTime: fields[19] ?? '' }
}

/** Null if there is no such process, or it belongs to another user. Any other failure is thrown: it tells nothing about the process. */
const orNull = <T>(read: () => T): T | null => {
  try {
    return read()
  } catch (cause) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((cause as NodeJS.ErrnoException).code ?? '')) return null
    throw cause
  }
}
