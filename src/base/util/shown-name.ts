import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Identifies this process to another one that can look at it. */
export interface OwnName {
  pid: number
  /** Known to this process and those that it tells; the visible name is derived from it. */
  secret: string
}

/** The kernel keeps 15 letters. Only a process itself can change them, so a name cannot be put on another one. */
const nameFor = (secret: string): string =>
  `rein-${createHash('sha256').update(secret).digest('base64url').slice(0, 10)}`

/** Takes a unique name; null where the system shows no names. */
export const takeName = (): OwnName | null => {
  if (process.platform !== 'linux') return null
  const secret = randomBytes(16).toString('base64url')
  const name = nameFor(secret)
  try {
    writeFileSync('/proc/self/comm', name)
  } catch {
    // In a sandbox that closes /proc: this way is open to every process, and hides its arguments.
    process.title = name
  }
  return { pid: process.pid, secret }
}

/** The process that has taken this name; null if none has. Its own pid counts in its own container only: then all are looked at. */
export const findNamed = ({ pid, secret }: OwnName): number | null => {
  const name = nameFor(secret)
  if (readName(pid) === name) return pid
  const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  return pids.map(Number).find((one) => readName(one) === name) ?? null
}

const readName = (pid: number): string | null => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd()
  } catch {
    return null
  }
}
