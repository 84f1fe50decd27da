import { readFileSync, statSync } from 'node:fs'

/** What Linux tells of one process; it stays as it is but for the parent, which is init once the real one has ended. */
export interface Forebear {
  pid: number
  startTime: string
  /** The process that began its session: children keep it, unless they begin one of their own. */
  session: number
  uid: number
  /** What it was started with, as the kernel keeps it; empty where that is not ours to read. */
  environment: string[]
  /** Its hard limit of file locks, which nothing heeds any more. Children keep it, and only root can raise it. */
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

/** A parent that has ended meanwhile is not the parent any more. */
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
  const environment = (readOwn(`/proc/${pid}/environ`) ?? '').split('\0')
  const uid = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? 0
  return { forebear: { pid, ...told, uid, environment, lockLimit: readLockLimit(pid) }, parent }
}

/** Fields of /proc/PID/stat are counted after the command's name, which may hold spaces and brackets. */
const readStat = (pid: number): (Pick<Forebear, 'startTime' | 'session'> & { parent: number }) | null => {
  const stat = readOwn(`/proc/${pid}/stat`)
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), session: Number(fields[3]), startTime: fields[19] ?? '' }
}

export const readLockLimit = (pid: number | 'self'): number => {
  const [, hard] = /^Max file locks\s+\S+\s+(\d+)/m.exec(readOwn(`/proc/${pid}/limits`) ?? '') ?? []
  return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard)
}

/** Null if there is no such process, or it is somebody else's. Any other failure is one: what cannot be looked up is not known. */
const readOwn = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((cause as NodeJS.ErrnoException).code ?? '')) return null
    throw cause
  }
}
