import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import type { ReinPaths } from '../../base/util/paths.ts'
import { childEnv } from '../../base/util/proxy-env.ts'
import { quoted } from '../../base/util/shell.ts'

interface AgentEnvParts {
  agent: string
  handle: string
  token: string
  paths: ReinPaths
  deadlineMs: number
  waiters: string
  /** Where it is started: the rules of that project bind it wherever its shell goes. */
  cwd: string
}

/** Where the waiters of an agent listen: in the runtime directory, gone after a reboot like they are. */
export const waitersDir = (paths: ReinPaths, agent: string): string => join(paths.runtime, 'waiters', agent)

/** All agents that were started by hand share one: each waiter is named after the process it belongs to. */
export const outsideWaiters = (paths: ReinPaths): string => waitersDir(paths, 'outside')

/** The caller's environment, with what makes the process this agent: its identity, its way to the daemon, `rein` on its PATH. */
export const agentEnv = (
  env: Record<string, string>,
  { agent, handle, token, paths, deadlineMs, waiters, cwd }: AgentEnvParts,
): Record<string, string> => ({
  ...(childEnv(env) as Record<string, string>),
  PATH: [binDir(paths), env.PATH].filter(Boolean).join(delimiter),
  REIN_AGENT: agent,
  REIN_HANDLE: handle,
  REIN_TOKEN: token,
  REIN_SOCKET: paths.socket,
  REIN_SPOOL: paths.spool,
  REIN_HOOK_DEADLINE_MS: String(deadlineMs),
  REIN_WAITERS: waiters,
  REIN_GUARDS: paths.guards,
  REIN_PROJECT: cwd,
})

const binDir = (paths: ReinPaths): string => join(paths.state, 'bin')

/** A `rein` of this very version for the agents' PATH, whatever the user has installed. */
export const writeShim = (paths: ReinPaths, program: string): Promise<void> => {
  const dir = binDir(paths)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const script = `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(program)} "$@"\n`
  return writeFileAtomic(join(dir, 'rein'), script, { mode: 0o700 })
}
