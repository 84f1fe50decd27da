/** What this machine and this user can do that tests make use of. Where something is missing, a weaker form runs, and the runner names it. */
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const findOnPath = (program: string): string[] =>
  (process.env['PATH'] ?? '').split(delimiter).flatMap((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK)
      return [join(directory, program)]
    } catch {
      return []
    }
  })

const isOnPath = (program: string): boolean => findOnPath(program).length > 0

const sysAdmin = 21n

/** Root in a container may still not mount: what counts is the capability. */
const hasMountCapability = (): boolean => {
  const [, effective = '0'] = /CapEff:\s*(\w+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return ((BigInt(`0x${effective}`) >> sysAdmin) & 1n) === 1n
}

/** Whether other users may go into a directory: a clone below root's own home is closed to them. */
const isOpenToOthers = (directory: string): boolean =>
  (statSync(directory).mode & 0o001) !== 0 && (directory === '/' || isOpenToOthers(dirname(directory)))

export const isRoot = process.getuid?.() === 0
/** Whether a program of this repository can be run as a user who is not root. */
export const canRunUnprivileged = !isRoot || isOpenToOthers(import.meta.dirname)
export const mayMount = process.platform === 'linux' && hasMountCapability()
export const hasTmux = isOnPath('tmux')

/** A browser that tests can drive; null where there is none. The names are those of `scripts/prepare.mjs`. */
export const browserProgram = ['chromium', 'google-chrome', 'google-chrome-stable'].flatMap(findOnPath)[0] ?? null

/** The shells that Rein hooks into, as far as they are here. */
export const shellsHere = (['bash', 'zsh', 'fish'] as const).filter(isOnPath)

/** One sentence for each weaker form, with what is missing. */
export const findWeaknesses = (): string[] => [
  ...(['bash', 'zsh', 'fish'] as const)
    .filter((shell) => !shellsHere.includes(shell))
    .map((shell) => `no ${shell}: the shell integration is not tested with it.`),
  ...(hasTmux ? [] : ['no tmux: terminals are tested with the pty host alone.']),
  ...(isOnPath('curl') ? [] : ['no curl: hooks cannot reach the daemon, so most tests with agents will fail.']),
  ...(isOnPath('ss') ? [] : ['no ss: requests that are made by hand on the socket or the port are refused.']),
  ...(browserProgram === null
    ? ['no chromium: the page is not tried in a browser, only what it says to the daemon.']
    : []),
  ...(isRoot ? [] : ['not root: access by another user is not tried.']),
  ...(canRunUnprivileged
    ? []
    : ['the clone is closed to other users: snapshots by a user without rights are not tried.']),
  ...(mayMount ? [] : ['no right to mount: a full disk is tried with a file size limit, not with a full file system.']),
]
