import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** `unknown`: the system does not tell now, which is no reason to end, restart, forget or adopt anything. */
export type Presence = 'there' | 'gone' | 'unknown'

/** When a process started, as an opaque string; null if there is no such process. Throws where the system does not tell. */
export const processStartTime = (pid: number): string | null => {
  if (process.platform !== 'linux') return ps(pid, 'lstart=')
  const fields = linuxStat(pid)
  if (fields === null) return null
  // A zombie has ended; but while another thread of it lives, its files and sockets do, too.
  const hasEnded = fields[0] === 'Z' && Number(fields[17]) <= 1
  return hasEnded ? null : (fields[19] ?? null)
}

/** The same, with null where the system does not tell. */
export const startTimeIfTold = (pid: number): string | null => {
  try {
    return processStartTime(pid)
  } catch {
    return null
  }
}

/** The same for a process that was just started: waits while the daemon is short of file descriptors. */
export const awaitStartTime = async (pid: number): Promise<string | null> => {
  for (;;) {
    try {
      return processStartTime(pid)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, askAgainMs))
    }
  }
}

const askAgainMs = 100

/** Whether this very process runs: a pid alone is reused. Without a start time any process with this pid counts. */
export const presenceOf = (pid: number, startTime: string | null): Presence => {
  try {
    const found = processStartTime(pid)
    return found !== null && found === (startTime ?? found) ? 'there' : 'gone'
  } catch {
    return 'unknown'
  }
}

/** Certainly the same process as before: only then it is signalled. */
export const isSameProcess = (pid: number, startTime: string): boolean => presenceOf(pid, startTime) === 'there'

/** Certainly gone: only then it is declared so. */
export const isGone = (pid: number, startTime: string): boolean => presenceOf(pid, startTime) === 'gone'

/** The parent of a process; null if there is no such process. Throws where the system does not tell. */
export const parentPid = (pid: number): number | null => {
  const parent = process.platform === 'linux' ? linuxStat(pid)?.[1] : ps(pid, 'ppid=')
  return parent == null ? null : Number(parent)
}

/** Whether it certainly has lost its terminal. */
export const hasLostTerminal = (pid: number): boolean => {
  try {
    const terminal = process.platform === 'linux' ? linuxStat(pid)?.[4] : ps(pid, 'tty=')
    return terminal === '0' || /^[?-]+$/.test(terminal ?? '')
  } catch {
    return false
  }
}

/** Whether it is a shell by its name. Throws where the system does not tell. */
export const isShell = (pid: number): boolean => {
  const name = process.platform === 'linux' ? readProc(pid, 'comm')?.trim() : ps(pid, 'comm=')?.split('/').at(-1)
  return /^-?(ba|da|z|fi|k|a)?sh$/.test(name ?? '')
}

const runtime = /(^|\/)(node|bun|deno)$/

/** The program of this name that runs in a process, or the script it runs; null where that cannot be told. */
export const programOf = (pid: number, name: string): string | null => {
  const [, script] = programsIn(readList(pid, 'cmdline'))
  if (script?.startsWith('/') === true) return script
  const running = process.platform === 'linux' ? linkOf(`/proc/${pid}/exe`) : null
  if (running === null || !runtime.test(running)) return running
  // A script that has changed its process title hides its path; the shell that started it may have left it in `_`.
  // Any other name there belongs to the parent, and must not be run.
  const path = readList(pid, 'environ')
    .find((variable) => variable.startsWith('_=/'))
    ?.slice('_='.length)
  return path !== undefined && basename(path) === name ? path : null
}

interface Ancestor {
  pid: number
  /** Names and paths of the program that it runs, as far as it shows them. */
  programs: string[]
}

/** This process and all it descends from, nearest first. Throws where the system does not tell. */
export const readAncestors = (pid: number): Iterable<Ancestor> =>
  process.platform === 'linux' ? linuxAncestors(pid) : ancestorsIn(runPs('-axo', 'pid=,ppid=,command='), pid)

function* linuxAncestors(pid: number): Generator<Ancestor> {
  for (let one: number | null = pid; one !== null && one > 1; one = parentPid(one)) {
    const shown = [readProc(one, 'comm')?.trim(), linkOf(`/proc/${one}/exe`), ...programsIn(readList(one, 'cmdline'))]
    yield { pid: one, programs: shown.filter((name) => name != null && name !== '') as string[] }
  }
}

/** The same from a table of all processes: pid, parent and command line of each. */
export const ancestorsIn = (table: string, pid: number): Ancestor[] => {
  const rows = table.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [])
  const byPid = new Map(rows.map(([, own, parent, command = '']) => [Number(own), { parent: Number(parent), command }]))
  const found: Ancestor[] = []
  for (let one = pid, row = byPid.get(one); one > 1 && row !== undefined; one = row.parent, row = byPid.get(one)) {
    found.push({ pid: one, programs: programsIn(row.command.split(' ')) })
  }
  return found
}

/** The program of a command line, and the script that it runs if it is a runtime: any other word may be a file that is worked on. */
const programsIn = ([program = '', ...args]: readonly string[]): string[] => {
  const script = runtime.test(program) ? args.find((arg) => !arg.startsWith('-')) : undefined
  return [program, ...(script === undefined ? [] : [script])]
}

const linkOf = (path: string): string | null => {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

const readList = (pid: number, file: 'cmdline' | 'environ'): string[] => {
  try {
    return process.platform === 'linux' ? (readProc(pid, file)?.split('\0') ?? []) : []
  } catch {
    return []
  }
}

/** Fields of /proc/PID/stat after the command name, which may hold spaces and brackets. */
const linuxStat = (pid: number): string[] | null => {
  const stat = readProc(pid, 'stat')
  return stat === null ? null : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Null only if there is no such process. Any other failure, for want of a descriptor say, tells nothing about it and is thrown. */
const readProc = (pid: number, file: string): string | null => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ESRCH' || (code === 'ENOENT' && existsSync('/proc/self'))) return null
    throw cause
  }
}

/** The same: `ps` ends with 1 when it has found none. */
const ps = (pid: number, column: string): string | null => {
  try {
    return runPs('-o', column, '-p', String(pid)).trim() || null
  } catch (cause) {
    if ((cause as { status?: number }).status === 1) return null
    throw cause
  }
}

const runPs = (...args: string[]): string => {
  // Loaded only where it is needed: every command imports this file.
  const { execFileSync } = process.getBuiltinModule('node:child_process')
  return execFileSync('ps', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

/** A variable of the environment that a process of this user was started with; undefined where the system does not tell. */
export const variableOf = (pid: number, name: string): string | undefined => {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1)
  } catch {
    return undefined
  }
}
