import { readFileSync, readlinkSync } from 'node:fs'

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

/** Whether it is a shell by its name; false where that cannot be told. */
export const isShell = (pid: number): boolean => {
  const name = readProc(pid, 'comm')?.trim() ?? ps(pid, 'comm=')?.split('/').at(-1)
  return /^-?(ba|da|z|fi|k|a)?sh$/.test(name ?? '')
}

const runtime = /(^|\/)(node|bun|deno)$/

/** The program that runs in a process, or the script it runs; null where that cannot be told. */
export const programOf = (pid: number): string | null => {
  const [program = '', ...args] = readProc(pid, 'cmdline')?.split('\0') ?? []
  const script = runtime.test(program) ? args.find((arg) => !arg.startsWith('-')) : undefined
  if (script?.startsWith('/') === true) return script
  const running = process.platform === 'linux' ? linkOf(`/proc/${pid}/exe`) : null
  return running !== null && runtime.test(running) ? startedAs(pid) : running
}

/** A script that has given its process another title does not show its path; the shell that started it has left that behind. */
const startedAs = (pid: number): string | null => {
  const [, path] = /(?:^|\0)_=(\/[^\0]+)/.exec(readProc(pid, 'environ') ?? '') ?? []
  return path === undefined || runtime.test(path) ? null : path
}

/** This process and all it descends from; empty where that costs a process each. */
export const ancestry = (pid: number): number[] => {
  const found: number[] = []
  for (
    let one: number | null = process.platform === 'linux' ? pid : null;
    one !== null && one > 1;
    one = parentPid(one)
  )
    found.push(one)
  return found
}

const linkOf = (path: string): string | null => {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

const readProc = (pid: number, file: string): string | null => {
  try {
    return process.platform === 'linux' ? readFileSync(`/proc/${pid}/${file}`, 'utf8') : null
  } catch {
    return null
  }
}

const linuxStartTime = (pid: number): string | null => {
  const fields = linuxStat(pid)
  return fields === null || hasEnded(fields) ? null : (fields[19] ?? null)
}

/** A zombie has ended, its parent only has not looked yet; but while another thread of it lives, its files and sockets do, too. */
const hasEnded = ([state, ...more]: string[]): boolean => state === 'Z' && Number(more[16]) <= 1

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

/** A variable of the environment that a process of this user was started with; undefined where the system does not tell. */
export const variableOf = (pid: number, name: string): string | undefined => {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1)
  } catch {
    return undefined
  }
}
