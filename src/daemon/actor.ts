import type { Socket } from 'node:net'
import type { Supervisor } from '../agents/supervisor.ts'
import { type Agent, isAlive } from '../contract/agent.ts'
import type { Channel } from '../contract/channel.ts'
import { ReinError } from '../contract/errors.ts'
import type { Actor } from '../contract/identity.ts'
import { agentTokenHeader, callerHeader } from '../contract/headers.ts'
import { type RouteName, routes } from '../contract/routes/all.ts'
import type { Card } from '../contract/routes/route.ts'
import type { Scope } from '../contract/scope.ts'
import { isEqual } from '../base/util/constant-time.ts'
import { readAgentToken } from '../agents/identity/tokens.ts'
import type { Endpoint } from '../base/base.ts'
import { channelToken } from '../features/channels/token.ts'
import type { Origins } from './origin.ts'

interface Vouchers {
  endpoint: Endpoint
  supervisor: Pick<Supervisor, 'get' | 'isCurrent' | 'isLaunching'>
  origins: Pick<Origins, 'of'>
}

export interface Caller {
  /** Over the socket the operating system has checked whose process it is; over TCP a token has to. */
  overSocket: boolean
  socket: Socket
  header(name: string): string | undefined
}

/** The claim of a caller about itself. */
export type Claim = { kind: 'agent'; id: string } | { kind: 'user' } | { kind: 'nothing' }

/** Reads the claim of a token; refuses an invalid token, and a caller over TCP without one. */
export const readClaim = (caller: Caller, { endpoint, supervisor }: Vouchers): Claim => {
  const bearer = caller.header('authorization')?.replace(/^Bearer /, '')
  const token = caller.header(agentTokenHeader) ?? bearer
  const named = token === undefined ? null : readAgentToken(endpoint.secret, token)
  if (named !== null) {
    if (supervisor.isCurrent(named.agent, named.launch)) return { kind: 'agent', id: named.agent }
    const handle = supervisor.get(named.agent)?.handle ?? named.agent
    throw new ReinError('forbidden', `This token of ${handle} has ended with the launch that it was for.`, againHint)
  }
  if (caller.header(agentTokenHeader) !== undefined)
    throw new ReinError('forbidden', 'This agent token is not valid here.')
  if (bearer !== undefined && isEqual(bearer, endpoint.token)) return { kind: 'user' }
  if (caller.overSocket) return { kind: 'nothing' }
  throw new ReinError('forbidden', 'A token is needed on this port.')
}

const againHint = 'Each launch has a token of its own: a person can start the agent again with rein restart.'

/** The caller, by its process first; it counts as a person only if nothing indicates an agent. */
export const actorOf = async (caller: Caller, claim: Claim, { supervisor, origins }: Vouchers): Promise<Actor> => {
  const origin = await origins.of({ socket: caller.socket, name: caller.header(callerHeader) })
  const agent = (id: string): Actor => ({ kind: 'agent', id, handle: supervisor.get(id)?.handle ?? id })
  if (origin.kind === 'stranger')
    throw new ReinError(
      'forbidden',
      'This comes from a process of another user.',
      'Tokens are for the user who has them.',
    )
  if (origin.kind === 'unseen')
    throw new ReinError(
      'forbidden',
      'This comes from a process that the daemon cannot see: of another user, or of another container.',
      'Call it from where the daemon runs, as its user.',
    )
  if (origin.kind === 'agent') return agent(originalAgent(origin.agent, claim, supervisor))
  if (claim.kind === 'agent') return agent(claim.id)
  if (origin.kind === 'person') return { kind: 'user', name: 'user' }
  throw new ReinError('forbidden', 'Rein cannot tell which process is calling.', untoldHint)
}

const untoldHint = 'Use the command rein; or install iproute2, so that ss can tell.'

/** An ended agent may do nothing; a process of an unknown agent has only its token. */
const originalAgent = (agent: Agent | null, claim: Claim, supervisor: Vouchers['supervisor']): string => {
  if (agent !== null && (isAlive(agent.state) || supervisor.isLaunching(agent.id))) return agent.id
  if (agent === null && claim.kind === 'agent') return claim.id
  const whose = agent === null ? 'an agent' : `the agent ${agent.handle}, which has ended`
  throw new ReinError(
    'forbidden',
    `This process was started by ${whose}.`,
    'A person can do this from a shell of their own.',
  )
}

/** Whether this caller brings the token of a channel. */
export const hasChannelToken = (caller: Caller, endpoint: Endpoint, channel: Channel): boolean => {
  const bearer = caller.header('authorization')?.replace(/^Bearer /, '') ?? ''
  return isEqual(bearer, channelToken(endpoint.secret, channel.name, channel.tokenVersion))
}

/** What comes with a token; `checkDeviceMay` is for devices. */
export const checkMay = (actor: Actor, route: RouteName): void => {
  const { agentMay }: Card = routes[route]
  if (actor.kind === 'channel' && route !== 'receive')
    throw new ReinError('forbidden', 'The token of a channel only lets messages in.')
  if (actor.kind !== 'agent' || agentMay) return
  throw new ReinError('forbidden', `An agent may not do this (${route}).`, 'Ask the person who runs it.')
}

/** A tunnel may end at the port, so not everything is done there, whatever token a request brings. */
export const checkReach = (route: RouteName, overSocket: boolean): void => {
  const { isLocal }: Card = routes[route]
  if (!isLocal || overSocket) return
  throw new ReinError('forbidden', `This is done over the socket alone (${route}).`, 'Use the command rein.')
}

/** A device may call what its scopes name; never what is for this machine alone, or answered in a form of its own. */
export const checkDeviceMay = (scopes: readonly Scope[], route: RouteName): void => {
  const { scope, media, isLocal }: Card = routes[route]
  if (media !== undefined || isLocal)
    throw new ReinError('forbidden', `No device may do this (${route}).`, 'Use the command rein on the machine itself.')
  checkScope(scopes, scope, route)
}

/** What its routes do not show to fewer scopes, the records of it do not either. */
export const checkDeviceReads = (scopes: readonly Scope[], topics: readonly string[]): void => {
  const held = topics.find((topic) => heldTopics.has(topic))
  if (held !== undefined) checkScope(scopes, 'admin', `the topic ${held}`)
}

/** Who can reach this machine, and by what. */
const heldTopics: ReadonlySet<string> = new Set(['devices', 'subscriptions', 'adapters', 'channels'])

const checkScope = (scopes: readonly Scope[], needed: Scope, what: string): void => {
  if (scopes.includes(needed)) return
  throw new ReinError(
    'forbidden',
    `This device may not do this: it needs the scope ${needed} (${what}).`,
    `Pair it again with more: rein web pair --scope ${[...scopes, needed].join(',')}`,
  )
}

/**
 * Turns away a page whose browser runs under an agent. Anything else may come in, for a code or a key has to prove it:
 * a tunnel or a proxy is a process of root or of another user, which this daemon may not look at.
 */
export const refuseAgents = async (
  socket: Socket,
  { supervisor, origins }: Omit<Vouchers, 'endpoint'>,
): Promise<void> => {
  const origin = await origins.of({ socket, name: undefined })
  if (origin.kind === 'unknown')
    throw new ReinError('forbidden', 'Rein cannot tell which process is calling.', untoldHint)
  if (origin.kind !== 'agent') return
  const handle = origin.agent === null ? null : (supervisor.get(origin.agent.id)?.handle ?? origin.agent.handle)
  throw new ReinError(
    'forbidden',
    `This browser was started by ${handle === null ? 'an agent' : `the agent ${handle}`}.`,
    'Close it, and start it yourself.',
  )
}
