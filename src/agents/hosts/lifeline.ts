import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { promisify } from 'node:util'
import type { LaunchPlan } from '../../contract/host.ts'

const run = promisify(execFile)

/**
 * Ties a process and its process group to this daemon: they are killed when the lifeline is cut, and when the daemon
 * ends in any way, `kill -9` included.
 */
export interface Lifeline {
  /** The command of a process that is tied. */
  tie(plan: Pick<LaunchPlan, 'command' | 'args'>): [string, string[]]
  /** A descriptor that the process inherits as its fourth; throws once the lifeline is cut. */
  openEnd(): number
  cut(): void
}

/** `path`: of a FIFO that is made for it. */
export const createLifeline = async (path: string): Promise<Lifeline> => {
  await run('mkfifo', ['-m', '600', path])
  // A FIFO that is opened for both does not wait for a reader. Nobody else holds a writing end.
  const held = openSync(path, constants.O_RDWR)
  let isCut = false
  return {
    tie: ({ command, args }) => ['/bin/sh', ['-c', script, 'sh', command, ...args]],
    openEnd: () => {
      if (isCut) throw new Error('it was interrupted')
      return openSync(path, constants.O_RDONLY)
    },
    cut: () => {
      if (!isCut) closeSync(held)
      isCut = true
    },
  }
}

/**
 * The watcher waits for the end of a FIFO into which nobody writes. It is in the group that it kills, so the number of
 * that group cannot belong to another one by then.
 */
const script = `{ trap '' HUP INT TERM; read -r _ <&3; kill -KILL 0; } & exec "$@" 3<&-`
