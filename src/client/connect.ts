import { setTimeout as delay } from 'node:timers/promises'
import type { Hello, Stopped } from '../contract/api-types.ts'
import { asReinError, ReinError } from '../contract/errors.ts'
import { agentTokenHeader, routes, versionHeader } from '../contract/routes.ts'
import type { ReinPaths } from '../util/paths.ts'
import { isSameProcess } from '../util/process.ts'
import { version } from '../util/version.ts'
import { agentSocket, ancestorsHeader, type Env } from './agent-env.ts'
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
const endCheckMs = 20

export const headersOf = ({ env }: Connection): Record<string, string> => {
  const token = env['REIN_TOKEN']
  return { [versionHeader]: version, ...(token ? { [agentTokenHeader]: token } : ancestorsHeader()) }
}

/** An agent was given its socket. */
export const socketOf = ({ env, paths }: Connection): string =>
  agentSocket(env) === undefined ? servingSocket(paths) : paths.socket

/** Agents use the daemon that is there: stopping it is not theirs to do. */
export const mustReplace = ({ start, env }: Connection, daemonVersion: string): boolean =>
  start && !env['REIN_TOKEN'] && isOlder(daemonVersion, version)

/** Returns once a daemon answers that is ours and not older than we are. */
export const ensureDaemon = async (connection: Connection): Promise<Hello> => {
  const hello = await greet(connection)
  if (hello !== null && !mustReplace(connection, hello.version)) return hello
  if (!connection.start) throw notRunning()
  if (hello !== null) await stopDaemon(connection)
  await startDaemon(connection.env, connection.script ?? daemonScript())
  const started = await greet(connection)
  if (started === null) throw new ReinError('unavailable', 'The daemon ended right after its start.', logHint)
  return started
}

/** Resolves when the process has ended; `stopped` is false if there was none. */
export const stopDaemon = async (connection: Connection): Promise<Stopped> => {
  const hello = await greet(connection)
  if (hello === null) return { stopped: false, pid: null }
  const registration = readRegistration(connection.paths.registration)
  await readJson(await send(socketOf(connection), { ...routes.stop, headers: headersOf(connection) }))
  if (registration !== null) await waitForEnd(registration)
  return { stopped: true, pid: hello.pid }
}

/** Who answers on the socket; null if nobody does. */
const greet = async (connection: Connection): Promise<Hello | null> => {
  const { timeoutMs = helloLimitMs } = connection
  const request = { ...routes.hello, headers: headersOf(connection), limitMs: timeoutMs }
  try {
    const hello = (await readJson(await send(socketOf(connection), request))) as Hello
    return refuseStranger(hello, connection)
  } catch (cause) {
    if (isDaemonGone(cause)) return null
    throw unreachable(cause, connection)
  }
}

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

const waitForEnd = async ({ pid, startTime }: Registration): Promise<void> => {
  const deadline = performance.now() + endLimitMs
  while (isSameProcess(pid, startTime)) {
    if (performance.now() > deadline)
      throw new ReinError('not_in_time', `The daemon (pid ${pid}) did not end within ${endLimitMs / 1000} s.`)
    await delay(endCheckMs)
  }
}

export const notRunning = (): ReinError =>
  new ReinError(
    'unavailable',
    'The daemon is not running.',
    'Any command that needs it starts it; so does `rein daemon start`.',
  )

/** What went wrong between us and the daemon, in words. */
export const unreachable = (cause: unknown, connection: Connection): ReinError => {
  if (cause instanceof ReinError) return cause
  if (nobodyListens(cause)) return notRunning()
  if (codeOf(cause) === 'ETIMEDOUT') return silent(connection)
  if (isDaemonGone(cause))
    return new ReinError('unavailable', 'The daemon closed the connection before its answer was complete.', logHint)
  const { message } = asReinError(cause)
  return new ReinError('unavailable', `The daemon cannot be reached: ${message}.`, logHint)
}

const silent = (connection: Connection): ReinError => {
  const pid = readRegistration(connection.paths.registration)?.pid
  return new ReinError('unavailable', `The daemon${pid === undefined ? '' : ` (pid ${pid})`} does not answer.`, logHint)
}

export const logHint = 'Its log: `rein daemon logs`.'
