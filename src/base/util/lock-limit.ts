import { readFileSync } from 'node:fs'

/** Exact in JavaScript, and above any real setting: a lower limit that is not the daemon's own is a mark. */
export const highestMark = 2 ** 47

/** A limit below this leaves no room for marks; children then go without. */
const lowest = 1000

/**
 * The hard limit of file locks of a process. Linux shows it and no longer heeds it, children inherit it, and only root
 * can raise it: so it tells where a process comes from that has left everything else.
 */
export const readLockLimit = (pid: number): number => limitIn(`/proc/${pid}/limits`)

const limitIn = (file: string): number => {
  const [, hard] = /^Max file locks\s+\S+\s+(\d+)/m.exec(readFileSync(file, 'utf8')) ?? []
  return hard === undefined ? Number.POSITIVE_INFINITY : Number(hard)
}

/** That of this process; none where the system does not show it: macOS, a Linux without `/proc`. */
export const ownLockLimit = (file = '/proc/self/limits'): number => {
  try {
    return limitIn(file)
  } catch (cause) {
    // Any other failure, for want of a descriptor say, does not tell that there is no limit.
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    return Number.POSITIVE_INFINITY
  }
}

/** Whether this process has a lower limit than that one, as every process under an agent has a lower one than its daemon. */
export const hasLowerLimit = (pid: number): boolean => {
  const own = ownLockLimit()
  return own !== Number.POSITIVE_INFINITY && own < readLockLimit(pid)
}

/** All marks that this process can give are below this. */
export const marksBelow = (): number => {
  const own = ownLockLimit()
  return own < lowest ? highestMark : Math.min(own, highestMark)
}

/** `-w` in dash, `-x` in bash; a shell that knows neither starts the program all the same. */
const script = 'mark=$1; shift; { ulimit -w "$mark" || ulimit -x "$mark"; } 2>/dev/null; exec "$@"'

/** The command that starts a process with this mark, which its children inherit. */
export const markCommand = (mark: number, command: string, args: readonly string[]): [string, string[]] =>
  process.platform === 'linux'
    ? ['/bin/sh', ['-c', script, 'sh', String(mark), command, ...args]]
    : [command, [...args]]

/** The mark of Rein's own programs that start commands for agents: nothing under them is a person. */
export const serverMark = (): number => marksBelow() - 1
