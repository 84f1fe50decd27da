import { chmodSync, closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { presenceOf } from '../../../base/util/process.ts'
import { type Frames, readFrames } from './frame.ts'

/** The commands that one shell had written up to some moment. */
export interface Batch extends Frames {
  /** To be called once the commands are stored elsewhere: until then they come again, with the same ids. */
  done: () => void
}

// `SHELL-PID-WHEN.cmds` grows; bash reads its history in `….cmds.line`; `SHELL-PID-WHEN.N.taken` waits for Rein.
const growing = /^[a-z]+-\d+-\d+\.cmds$/
const scratch = /^[a-z]+-\d+-\d+\.cmds\.line$/
const taken = /^[a-z]+-\d+-\d+\.\d+\.taken$/

/**
 * Takes over the commands that people's shells have written to `dir`. A shell opens its file anew for each command: one
 * call moves the file away, and a later one reads it, when its shell cannot have it open any more. So nothing is lost;
 * commands that come twice because a daemon died have the same ids.
 */
export const takeSpool = (dir: string, onTrouble: (name: string, cause: unknown) => void): Batch[] => {
  const names = listFiles(dir)
  // A file that cannot be read or moved does not block the others.
  const tryEach = <T>(files: readonly string[], work: (name: string) => T[]): T[] =>
    files.flatMap((name) => {
      try {
        return work(name)
      } catch (cause) {
        onTrouble(name, cause)
        return []
      }
    })
  const select = (form: RegExp): string[] => names.filter((name) => form.test(name))
  tryEach(select(scratch), (name) => {
    if (isOver(name)) rmSync(join(dir, name))
    return []
  })
  const ready = tryEach(select(taken), (name) => (isHeld(dir, name) ? [] : [name]))
  const moved = tryEach(select(growing), (name) => moveAway(dir, name, names))
  return tryEach([...ready, ...moved.filter(isOver)], (name) => {
    const file = join(dir, name)
    return [{ ...readFrames(readFileSync(file), sessionOf(name)), done: () => rmSync(file, { force: true }) }]
  })
}

/** The session that the shell with this process id writes; null if there is none. */
export const sessionOfShell = (dir: string, pid: number): string | null => {
  const file = listFiles(dir).find((name) => growing.test(name) && !name.startsWith('told-') && pidOf(name) === pid)
  return file === undefined ? null : sessionOf(file)
}

/** Empty for a directory that does not exist. */
const listFiles = (dir: string): string[] => {
  try {
    const entries = readdirSync(dir, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  } catch {
    return []
  }
}

/** The new name, if there is something to read. */
const moveAway = (dir: string, name: string, names: readonly string[]): string[] => {
  const file = join(dir, name)
  const session = sessionOf(name)
  const isLast = isOver(name)
  if (statSync(file).size === 0) {
    if (isLast) rmSync(file)
    return []
  }
  const numbers = names
    .filter((other) => taken.test(other) && sessionOf(other) === session)
    .map((other) => Number(other.split('.')[1]))
  const target = `${session}.${Math.max(-1, ...numbers) + 1}.taken`
  renameSync(file, join(dir, target))
  if (!isLast) {
    // The shell itself would make the file with the umask of its user.
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
  }
  return [target]
}

const sessionOf = (name: string): string => name.split('.')[0] ?? ''
const pidOf = (name: string): number => Number(name.split('-')[1])
/** Whether the shell is certainly gone: the file of a living one is not removed. */
const isOver = (name: string): boolean => presenceOf(pidOf(name), null) === 'gone'

/** Whether the shell is just writing to it. */
const isHeld = (dir: string, name: string): boolean => {
  const { dev, ino } = statSync(join(dir, name))
  const descriptors = `/proc/${pidOf(name)}/fd`
  let open: string[] = []
  try {
    open = readdirSync(descriptors)
  } catch (cause) {
    // Without a free descriptor of our own it is unknown: a later call looks again.
    if (/^E[MN]FILE$/.test((cause as NodeJS.ErrnoException).code ?? '')) throw cause
  }
  return open.some((fd) => {
    const found = statSync(`${descriptors}/${fd}`, { throwIfNoEntry: false })
    return found?.dev === dev && found.ino === ino
  })
}
