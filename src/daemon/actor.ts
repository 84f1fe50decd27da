import type { Supervisor } from '../agents/supervisor.ts'
import { ReinError } from '../contract/errors.ts'
import type { Channel } from '../contract/channel.ts'
import type { Actor } from '../contract/identity.ts'
import { agentTokenHeader, ancestryHeader, type RouteName } from '../contract/routes.ts'
import type { OutsideAgents } from './outside.ts'
import { isEqual } from '../util/constant-time.ts'
import { agentOfToken, channelToken, type Endpoint } from './endpoint.ts'

/** What an agent may do by the token it was started with; everything else is for people. */
const agentMay: readonly RouteName[] = [
  'hello',
  'status',
  'ps',
  'tell',
  'inbox',
  'receipt',
  'follow',
  'read',
  'ack',
  'logs',
  'context',
  'channels',
  'sendOut',
  'createRoom',
  'rooms',
  'followRooms',
  'post',
  'posts',
  'moveCursor',
  'members',
  'publish',
  'events',
  'ackEvents',
  'busStatus',
  'watches',
  'control',
  'controls',
  'decide',
  'decisions',
  'tasks',
  'task',
  'tellLead',
  'story',
  'takeLease',
  'leases',
  'renewLease',
  'releaseLease',
  'ingest',
  'shellSession',
  'suggest',
  'history',
  'diagnose',
  'projectCommands',
  'notes',
  'searchNotes',
  'showNote',
  'addNote',
  'explainCall',
  'hook',
  'guard',
  'mcp',
]

interface Vouchers {
  endpoint: Endpoint
  supervisor: Supervisor
  outside: OutsideAgents
}

export interface Caller {
  /** Over the socket the operating system has checked who it is; over TCP a token has to. */
  overSocket: boolean
  header(name: string): string | undefined
}

/** Who is calling; refuses a caller over TCP that nobody vouches for. */
export const actorOf = (caller: Caller, { endpoint, supervisor, outside }: Vouchers): Actor => {
  const bearer = caller.header('authorization')?.replace(/^Bearer /, '')
  const token = caller.header(agentTokenHeader) ?? bearer
  const agent = token === undefined ? null : agentOfToken(endpoint.secret, token)
  if (agent !== null) return { kind: 'agent', id: agent, handle: supervisor.get(agent)?.handle ?? agent }
  if (caller.header(agentTokenHeader) !== undefined)
    throw new ReinError('forbidden', 'This agent token is not valid here.')
  const byHand = outside.among(pidsOf(caller))
  if (caller.overSocket && byHand !== null) return { kind: 'agent', id: byHand.id, handle: byHand.handle }
  if (caller.overSocket || (bearer !== undefined && isEqual(bearer, endpoint.token)))
    return { kind: 'user', name: 'user' }
  throw new ReinError('forbidden', 'A token is needed on this port.')
}

/** Whether this caller over TCP brings the token of a channel. */
export const hasChannelToken = (caller: Caller, endpoint: Endpoint, channel: Channel): boolean => {
  const bearer = caller.header('authorization')?.replace(/^Bearer /, '') ?? ''
  return isEqual(bearer, channelToken(endpoint.secret, channel.name, channel.tokenVersion))
}

/** Whoever names an agent among its ancestors has less to say, not more. */
const pidsOf = (caller: Caller): number[] => caller.header(ancestryHeader)?.split(',').map(Number) ?? []

export const checkMay = (actor: Actor, route: RouteName): void => {
  if (actor.kind === 'channel' && route !== 'receive')
    throw new ReinError('forbidden', 'The token of a channel only lets messages in.')
  if (actor.kind !== 'agent' || agentMay.includes(route)) return
  throw new ReinError('forbidden', `An agent may not do this (${route}).`, 'Ask the person who runs it.')
}
