import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Hello, Stopped } from '../contract/routes/daemon.ts'
import { asReinError, ReinError } from '../contract/errors.ts'
import { agentTokenHeader, versionHeader } from '../contract/headers.ts'
import { hasLowerLimit } from '../base/util/lock-limit.ts'
import { routes } from './route-table.ts'
import type { ReinPaths } from '../base/util/paths.ts'
import { isGone, isSameProcess } from '../base/util/process.ts'
import { version } from '../base/util/version.ts'
import { agentSocket, callerHeaders, type Env, isAgent } from './agent-env.ts'
import { codeOf, isDaemonGone, nobodyListens, readJson, send } from './http.ts'
import { type Registration, readRegistration, servingSocket } from './registration.ts'
import { isOlder } from './semver.ts'
import { daemonScript, startDaemon } from './start.ts'

export interface Connection {
  paths: ReinPaths
  env: Env
  /** Whether to start a daemon if there is none, and to replace one that is older than us. */
  start: boolean
  /** Other limits than the usual ones, for all requests. */
  timeoutMs?: number
  /** Another program than the daemon of this build. */
  script?: string
}

const helloLimitMs = 5_000
const endLimitMs = 15_000
const graceMs = 2_000
const endCheckMs = 20

export const headersOf = ({ env }: Connection): Record<string, string> => {
  const token = env['REIN_TOKEN']
  return { [versionHeader]: version, ...callerHeaders(), ...(token ? { [agentTokenHeader]: token } : {}) }
}

/** An agent was given its socket. */
export const socketOf = ({ env, paths }: Connection): string =>
  agentSocket(env) === undefined ? servingSocket(paths) : paths.socket

/** Agents use the daemon that is there: starting and stopping one is not theirs to do. */
export const mustReplace = ({ start, env }: Connection, daemonVersion: string): boolean =>
  start && !isAgent(env) && isOlder(daemonVersion, version)

/** Returns once a daemon answers that is ours and not older than we are. */
export const ensureDaemon = async (connection: Connection): Promise<Hello> => {
  const hello = await greet(connection)
  if (hello !== null && !mustReplace(connection, hello.version)) return hello
  if (!connection.start || isAgent(connection.env)) throw notRunning(connection)
  if (hello !== null) await stopDaemon(connection)
  await startDaemon(connection.env, connection.script ?? daemonScript())
  const started = await greet(connection)
  if (started === null) throw new ReinError('unavailable', 'The daemon ended right after its start.', logHint)
  return started
}

/** Resolves when the process has ended; `stopped` is false if there was none. One that hangs is killed. */
export const stopDaemon = async (connection: Connection): Promise<Stopped> => {
  // A pid alone may belong to another process by now, so the start time counts, too.
  const known = readRegistration(connection.paths.registration)
  const registered = known === null || isGone(known.pid, known.startTime) ? null : known
  try {
    const hello = await helloOf(connection)
    if (hello === null && registered === null) return { stopped: false, pid: null, killed: false }
    if (hello !== null) await readJson(await ask(connection, routes.stop))
    if (registered !== null) await waitForEnd(registered, endLimitMs)
    return { stopped: true, pid: hello?.pid ?? registered?.pid ?? null, killed: false }
  } catch (cause) {
    const isLate = codeOf(cause) === 'ETIMEDOUT' || (cause instanceof ReinError && cause.code === 'not_in_time')
    // An agent may not stop the daemon, so it may not kill it either. The limit marks agents that cleared their environment.
    if (registered === null || !isLate || isAgent(connection.env) || hasLowerLimit(registered.pid))
      throw unreachable(cause, connection)
    // A slow daemon ends by itself; nothing that it has accepted is lost either way.
    signal(registered, 'SIGTERM')
    await waitForEnd(registered, graceMs).catch(() => signal(registered, 'SIGKILL'))
    await waitForEnd(registered, endLimitMs)
    return { stopped: true, pid: registered.pid, killed: true }
  }
}

const signal = ({ pid, startTime }: Registration, name: NodeJS.Signals): void => {
  try {
    if (isSameProcess(pid, startTime)) process.kill(pid, name)
  } catch (cause) {
    if (codeOf(cause) !== 'ESRCH') throw cause
  }
}

/** Greets the daemon; null if none answers. */
const greet = async (connection: Connection): Promise<Hello | null> => {
  try {
    return await helloOf(connection)
  } catch (cause) {
    throw unreachable(cause, connection)
  }
}

/** The same, with what Node reports where that is no answer. */
const helloOf = async (connection: Connection): Promise<Hello | null> => {
  try {
    return refuseStranger((await readJson(await ask(connection, routes.hello))) as Hello, connection)
  } catch (cause) {
    if (isDaemonGone(cause)) return null
    throw cause
  }
}

const ask = (connection: Connection, route: (typeof routes)['hello' | 'stop']): Promise<IncomingMessage> =>
  send(socketOf(connection), {
    ...route,
    headers: headersOf(connection),
    limitMs: connection.timeoutMs ?? helloLimitMs,
  })

/** A server on our socket proves that it is ours by the id in a file that only we can write; an agent was given its socket. */
const refuseStranger = (hello: Hello, connection: Connection): Hello => {
  if (agentSocket(connection.env) !== undefined) return hello
  if (readRegistration(connection.paths.registration)?.id === hello.id) return hello
  throw new ReinError(
    'unavailable',
    `What answers on ${socketOf(connection)} is not the daemon that is registered in ${connection.paths.registration}.`,
    'End that program, then try again.',
  )
}

const waitForEnd = async ({ pid, startTime }: Registration, limitMs: number): Promise<void> => {
  const deadline = performance.now() + limitMs
  while (!isGone(pid, startTime)) {
    if (performance.now() > deadline)
      throw new ReinError('not_in_time', `The daemon (pid ${pid}) did not end within ${limitMs / 1000} s.`)
    await delay(endCheckMs)
  }
}

const notRunning = ({ env }: Connection): ReinError =>
  new ReinError(
    'unavailable',
    'The daemon is not running.',
    isAgent(env)
      ? 'A person can start it: rein daemon start.'
      : 'Any command that needs it starts it; so does `rein daemon start`.',
  )

export const unreachable = (cause: unknown, connection: Connection): ReinError => {
  if (cause instanceof ReinError) return cause
  if (nobodyListens(cause)) return notRunning(connection)
  if (codeOf(cause) === 'ETIMEDOUT') {
    const pid = readRegistration(connection.paths.registration)?.pid
    return new ReinError(
      'unavailable',
      `The daemon${pid === undefined ? '' : ` (pid ${pid})`} does not answer.`,
      `${logHint} ${freshHint(connection)}`,
    )
  }
  if (isDaemonGone(cause))
    return new ReinError('unavailable', 'The daemon closed the connection before its answer was complete.', logHint)
  const { message } = asReinError(cause)
  return new ReinError('unavailable', `The daemon cannot be reached: ${message}.`, logHint)
}

/** What helps against a daemon that hangs: it ends one that does not answer, too. */
export const freshHint = ({ env }: Connection): string =>
  `${isAgent(env) ? 'A person can start it afresh' : 'To start afresh'}: rein daemon stop; agents go on, and the next command starts it again.`

export const logHint = 'Its log: `rein daemon logs`.'
