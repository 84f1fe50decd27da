import { ephemeralEnv, saysEphemeral } from '../contract/ephemeral.ts'
import { callerHeader } from '../contract/headers.ts'
import { takeName } from '../base/util/shown-name.ts'

export type Env = Record<string, string | undefined>

/** What Rein gives to an agent; a daemon or another agent started from there must not pass for it. */
const agentVariables = [
  'REIN_TOKEN',
  'REIN_AGENT',
  'REIN_SOCKET',
  'REIN_SPOOL',
  'REIN_WAITERS',
  'REIN_HOOK_DEADLINE_MS',
  // Of the shell or agent that has it set, not of everybody.
  'REIN_EPHEMERAL',
]

/** Whether this process runs in an agent that Rein started. */
export const isAgent = (env: Env): boolean => Boolean(env['REIN_TOKEN'] || env['REIN_AGENT'])

/** The socket of the daemon that started this agent: its own HOME may well lead to another one, or to none. */
export const agentSocket = (env: Env): string | undefined =>
  isAgent(env) && env['REIN_SOCKET'] ? env['REIN_SOCKET'] : undefined

export const withoutAgent = (env: Env): Record<string, string> => {
  const others = Object.entries(env).filter(([name, value]) => value !== undefined && !agentVariables.includes(name))
  return Object.fromEntries(others) as Record<string, string>
}

/** The environment to start an agent in: nothing is remembered of one that is started from where nothing is. */
export const launchEnv = (env: Env): Record<string, string> => ({
  ...withoutAgent(env),
  ...(saysEphemeral(env) ? ephemeralEnv : {}),
})

let caller: Record<string, string> | undefined

/** Says which process this is: one that runs under an agent acts as that agent. */
export const callerHeaders = (): Record<string, string> => {
  const name = caller === undefined ? takeName() : null
  caller ??= name === null ? {} : { [callerHeader]: `${name.pid}.${name.secret}` }
  return caller
}
