import { chmodSync, closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { presenceOf } from '../../../base/util/process.ts'
import { type Frames, readFrames } from './frame.ts'

/** What one shell had written up to some moment. */
export interface Batch extends Frames {
  /** To be called once the commands are kept elsewhere: until then they come again, with the same ids. */
  done: () => void
}

/** Told which file it was, and what went wrong with it. */
export type OnTrouble = (name: string, cause: unknown) => void

// `SHELL-PID-WHEN.cmds` grows; `….cmds.line` is where bash looks at its history; `SHELL-PID-WHEN.N.taken` waits for us.
const growing = /^[a-z]+-\d+-\d+\.cmds$/
const scratch = /^[a-z]+-\d+-\d+\.cmds\.line$/
const taken = /^[a-z]+-\d+-\d+\.\d+\.taken$/

/**
 * Takes over what people's shells have written to `dir`. A shell opens its file anew for each command: the file is moved
 * away at one look, and read at a later one, when its shell cannot have it open any more. So nothing is lost; what comes
 * twice because a daemon died has the same ids.
 */
export const takeSpool = (dir: string, onTrouble: OnTrouble): Batch[] => {
  const names = filesIn(dir)
  const each = <T>(files: readonly string[], work: (name: string) => T[]): T[] =>
    files.flatMap((name) => tried(name, work, onTrouble))
  const like = (form: RegExp): string[] => names.filter((name) => form.test(name))
  each(like(scratch), (name) => removeIfOver(dir, name))
  const ready = each(like(taken), (name) => (isHeld(dir, name) ? [] : [name]))
  const moved = each(like(growing), (name) => moveAway(dir, name, names))
  const ended = moved.filter(isOver)
  return each([...ready, ...ended], (name) => [batchOf(dir, name)])
}

/** One file that cannot be read or moved keeps no other from being taken over. */
const tried = <T>(name: string, work: (name: string) => T[], onTrouble: OnTrouble): T[] => {
  try {
    return work(name)
  } catch (cause) {
    onTrouble(name, cause)
    return []
  }
}

const removeIfOver = (dir: string, name: string): [] => {
  if (isOver(name)) rmSync(join(dir, name))
  return []
}

/** Under which name the shell with this process writes; null if none does. */
export const sessionOfShell = (dir: string, pid: number): string | null => {
  const file = filesIn(dir).find((name) => growing.test(name) && !name.startsWith('told-') && pidOf(name) === pid)
  return file === undefined ? null : sessionOf(file)
}

/** A directory that is not there has nothing in it. */
const filesIn = (dir: string): string[] => {
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
  const isLast = isOver(name)
  if (statSync(file).size === 0) {
    if (isLast) rmSync(file)
    return []
  }
  const target = `${sessionOf(name)}.${nextNumber(sessionOf(name), names)}.taken`
  renameSync(file, join(dir, target))
  if (!isLast) makeAgain(file)
  return [target]
}

const nextNumber = (session: string, names: readonly string[]): number => {
  const numbers = names.filter((name) => taken.test(name) && sessionOf(name) === session).map(numberOf)
  return Math.max(-1, ...numbers) + 1
}

/** Ours to make, because a shell that makes it would do so with the umask of its user. */
const makeAgain = (file: string): void => {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
}

const batchOf = (dir: string, name: string): Batch => {
  const file = join(dir, name)
  return { ...readFrames(readFileSync(file), sessionOf(name)), done: () => rmSync(file, { force: true }) }
}

const sessionOf = (name: string): string => name.split('.')[0] ?? ''
const numberOf = (name: string): number => Number(name.split('.')[1])
const pidOf = (name: string): number => Number(name.split('-')[1])
/** Surely over: what a living shell writes to is not taken away from it. */
const isOver = (name: string): boolean => presenceOf(pidOf(name), null) === 'gone'

/** Whether the shell is just writing to it. */
const isHeld = (dir: string, name: string): boolean => {
  const { dev, ino } = statSync(join(dir, name))
  return openFiles(pidOf(name)).some((fd) => {
    const open = statSync(fd, { throwIfNoEntry: false })
    return open?.dev === dev && open.ino === ino
  })
}

const openFiles = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`)
  } catch (cause) {
    // Whether it is held cannot be told for want of a descriptor: it is looked at again.
    if (/^E[MN]FILE$/.test((cause as NodeJS.ErrnoException).code ?? '')) throw cause
    return []
  }
}
