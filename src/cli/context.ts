import { homedir } from 'node:os'
import type { Readable } from 'node:stream'
import type { CommandContext } from '@stricli/core'
import { agentSocket, type Env } from '../client/agent-env.ts'
import { type Client, createClient } from '../client/client.ts'
import { ReinError } from '../contract/errors.ts'
import { type ReinPaths, reinPaths } from '../base/util/paths.ts'
import { createOutput, type Output } from './output.ts'
import { ownCommand } from './own-command.ts'

export interface CliContext extends CommandContext {
  readonly env: Env
  readonly out: Output
  readonly stdin: Readable
  /** What follows `--` in `rein up … -- args`. */
  readonly driverArgs: string[]
  readonly now: () => number
  readonly cwd: () => string
  readonly paths: () => ReinPaths
  readonly connect: (options?: { start?: boolean; timeoutMs?: number }) => Client
  /** How this program can be typed: for hints. */
  readonly command: () => string
  /** For commands that have a result and yet did not succeed. */
  readonly exitWith: (code: number) => void
}

export interface JsonFlag {
  json?: boolean
}

export const createContext = (
  parser: CliContext['process'],
  driverArgs: string[],
  exitWith: (code: number) => void,
): CliContext => {
  const { env } = process
  const given = agentSocket(env)
  const paths = (): ReinPaths => {
    const own = reinPaths({ env, homedir: homedir(), platform: process.platform, uid: process.getuid?.() ?? 0 })
    return given === undefined ? own : { ...own, socket: given }
  }
  return {
    process: parser,
    env,
    out: createOutput(process, env),
    // Made when it is asked for: few commands read it.
    get stdin() {
      return process.stdin
    },
    driverArgs,
    now: Date.now,
    cwd: () => {
      try {
        return process.cwd()
      } catch {
        throw new ReinError('usage', 'The current directory no longer exists.', 'Change to one that does.')
      }
    },
    paths,
    connect: ({ start = true, timeoutMs } = {}) =>
      createClient({ paths: paths(), env, start: start && given === undefined, timeoutMs }),
    command: () => ownCommand(process.argv[1] ?? 'rein', env['PATH']),
    exitWith,
  }
}
