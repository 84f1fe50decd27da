import type { z } from 'zod'
import { followTurns, type Wanted } from './broadcast/follow.ts'
import { checkName } from './channels.ts'
import { claimedTime, isOutgoingRecord, type OutboxItem, outgoingId } from './channel.ts'
import { countDead, findMessage, findOutgoing, messagesNamed, outgoingItems, outgoingNamed } from './store.ts'
import type {
  ChannelsView,
  ChannelView,
  CreateChannelInput,
  OutgoingView,
  ReceivedView,
  ReceiveInput,
  RouteInput,
  SendOutInput,
  SentView,
  SettleInput,
  TokenInput,
  TokenView,
  TurnsInput,
} from '../../contract/routes/channels.ts'
import type { TailInput } from '../../contract/routes/daemon.ts'
import type { Channel, MessageVia, Route } from '../../contract/channel.ts'
import { ReinError } from '../../contract/errors.ts'
import { channelPattern } from '../../contract/handle.ts'
import type { Actor } from '../../contract/identity.ts'
import { chooseId } from '../../contract/ids.ts'
import { noticeChannel } from '../../contract/notice-events.ts'
import { pushChannel } from '../../contract/push.ts'
import type { AnyRecord } from '../../contract/record.ts'
import { roomKey, splitRoomKey } from '../../contract/team.ts'
import type { TurnGap, TurnLine } from '../../contract/turn.ts'
import { redact } from '../../base/redact/redact.ts'
import { receive as takeIn } from './receive.ts'
import { channelToken } from './token.ts'
import type { ChannelParts } from './parts.ts'
import { tailTopic } from '../../base/tail-topic.ts'

export const list = (parts: ChannelParts): ChannelsView => {
  const { channels } = parts
  const look = lookAt(parts)
  const names = new Set([
    ...channels.all.map(({ name }) => name),
    ...look.inputs,
    ...look.outputs,
    ...look.held.map(({ message }) => message.channel),
    ...[...look.refusals.keys()].filter((name) => channelPattern.test(name)),
  ])
  return {
    channels: [...names].toSorted().map((name) => view(parts, name, look)),
    unused: [...parts.fifos.inputs.unused(), ...parts.fifos.outputs.unused()],
    fallback: routeView(channels.fallback),
  }
}

/** The present FIFOs and waiting messages, read once for all channels. */
const lookAt = ({ incoming, fifos }: ChannelParts) => ({
  inputs: fifos.inputs.names(),
  outputs: fifos.outputs.names(),
  held: incoming.held(),
  refusals: fifos.inputs.refusals(),
})

const view = (parts: ChannelParts, name: string, look = lookAt(parts)): ChannelView => {
  const { channels, outbox, reader } = parts
  const { isHuman, isKept, senders, route, signature } = channels.get(name) ?? unset
  const held = look.held.filter(({ message }) => message.channel === name)
  const ways = [
    ...(look.inputs.includes(name) ? (['in-fifo'] as const) : []),
    ...(look.outputs.includes(name) ? (['out-fifo'] as const) : []),
  ]
  return {
    name,
    isHuman,
    isKept,
    senders,
    route: routeView(route),
    signature,
    ways,
    held: held.length,
    reason: held[0]?.reason ?? null,
    pending: outbox.pendingOf(name).length,
    dead: countDead(reader, name),
    refused: look.refusals.get(name)?.count ?? 0,
    refusal: look.refusals.get(name)?.last ?? null,
  }
}

/** A channel that exists only because of its FIFO. */
const unset: Omit<Channel, 'name'> = {
  isHuman: false,
  isKept: false,
  senders: null,
  route: null,
  signature: null,
  tokenVersion: 1,
}

const routeView = (route: Route | null): ChannelView['route'] => {
  if (route === null) return null
  const { allowsBypass } = route
  if ('agent' in route) return { handle: route.agent.handle, room: null, project: route.agent.project, allowsBypass }
  const { project, name } = splitRoomKey(route.room)
  return { handle: null, room: name, project, allowsBypass }
}

export const create = async (
  parts: ChannelParts,
  actor: Actor,
  { name, ...changes }: z.infer<typeof CreateChannelInput>,
): Promise<ChannelView> => {
  await parts.channels.set(
    name,
    Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
    actor,
  )
  return view(parts, name)
}

export const remove = async (parts: ChannelParts, actor: Actor, name: string): Promise<ChannelsView> => {
  await parts.channels.remove(name, actor)
  parts.secrets.forget(name)
  return list(parts)
}

export const route = async (
  parts: ChannelParts,
  actor: Actor,
  name: string,
  input: z.infer<typeof RouteInput>,
): Promise<ChannelView> => {
  await parts.channels.route(name, await routeTo(parts, input), actor)
  return view(parts, name)
}

export const setDefault = async (
  parts: ChannelParts,
  actor: Actor,
  input: z.infer<typeof RouteInput>,
): Promise<ChannelsView> => {
  await parts.channels.setFallback(await routeTo(parts, input), actor)
  return list(parts)
}

const routeTo = async (
  parts: ChannelParts,
  { target: named, allowsBypass, ...here }: z.infer<typeof RouteInput>,
): Promise<Route | null> => {
  if (named === null) return null
  const [, room] = /^room:(.*)$/.exec(named) ?? []
  if (room !== undefined) {
    const key = room.includes('/') ? room : roomKey(await parts.finder.projectAt(here), room)
    return { room: key, allowsBypass }
  }
  const { id, project, handle } = await parts.finder.named({ target: named, ...here })
  return { agent: { id, project, handle }, allowsBypass }
}

/** `sender` is trusted from callers that speak for the whole channel, such as its adapter. */
export const receive = async (
  { incoming, journal }: ChannelParts,
  name: string,
  via: MessageVia,
  { content, ts, ...more }: z.infer<typeof ReceiveInput>,
): Promise<ReceivedView> => {
  const claimedAt = claimedTime(ts)
  const taken = await takeIn(incoming, journal, { channel: name, text: content, claimedAt, via, ...more })
  const { message, agent, room, reason, isAnswer } = taken
  const state = reason !== null ? 'held' : isAnswer ? 'answered' : 'routed'
  const roomName = room === null ? null : splitRoomKey(room).name
  return { id: message.id, state, agent: agent?.handle ?? null, room: roomName, reason }
}

export const send = (
  { sender, reader }: ChannelParts,
  actor: Actor,
  channel: string,
  { text, replyTo: named }: z.infer<typeof SendOutInput>,
): Promise<SentView> => {
  refuseForgery(actor, channel)
  const replyTo = named === undefined ? undefined : chooseId(named, messagesNamed(reader, named))
  return sender.send(actor, { channel, text: redact(text).text, replyTo })
}

/** What no agent sent there is taken for Rein's own words. */
const refuseForgery = (actor: Actor, channel: string): void => {
  if (actor.kind !== 'user' || actor.via === undefined) return
  if (channel === noticeChannel || channel === pushChannel)
    throw new ReinError('forbidden', `No device sends on ${channel}: it is for notifications of Rein itself.`)
}

export const settle = async (
  { outbox }: ChannelParts,
  actor: Actor,
  input: z.infer<typeof SettleInput>,
): Promise<OutgoingView> => {
  const error = input.error === undefined ? undefined : redact(input.error).text
  return outgoingView(await outbox.settle({ ...input, error }, actor))
}

export const retry = async ({ outbox, reader }: ChannelParts, actor: Actor, named: string): Promise<OutgoingView> =>
  outgoingView(await outbox.retry(chooseId(named, outgoingNamed(reader, named)), actor))

export const dead = ({ reader }: ChannelParts, channel: string | null): OutgoingView[] =>
  outgoingItems(reader, 'dead', channel).map(outgoingView)

const outgoingView = ({ outgoing, state, attempts, reason }: OutboxItem): OutgoingView => ({
  ...outgoing,
  state,
  attempts,
  reason,
})

export const token = async (
  parts: ChannelParts,
  actor: Actor,
  name: string,
  input: z.infer<typeof TokenInput>,
): Promise<TokenView> => {
  checkName(name)
  // The secret comes first: with a signature but no secret every request would be refused.
  const secret = await parts.secrets.set(name, input)
  // The first one goes by the clock, too: else a channel that is made again would believe the tokens of the one before.
  const { signature, tokenVersion } = await parts.channels.set(
    name,
    (before) => ({
      tokenVersion:
        input.renew || before.tokenVersion === unset.tokenVersion
          ? Math.max(before.tokenVersion + 1, parts.now())
          : before.tokenVersion,
      ...(input.signature === undefined ? {} : { signature: input.signature }),
    }),
    actor,
  )
  return {
    name,
    token: channelToken(parts.endpoint.secret, name, tokenVersion),
    url: `http://127.0.0.1:${parts.endpoint.port}/v1/channels/${name}`,
    signature,
    secret,
  }
}

/** Follows the messages of one channel in both directions. */
export async function* tail(
  parts: ChannelParts,
  name: string,
  input: z.infer<typeof TailInput>,
  signal: AbortSignal,
): AsyncGenerator<AnyRecord> {
  checkName(name)
  for await (const record of tailTopic(parts.log, 'messages', input, signal))
    if (channelOf(parts, record) === name) yield record
}

const channelOf = ({ reader }: ChannelParts, record: AnyRecord): string | undefined => {
  if (record.type === 'message.received') return record.body.message.channel
  if (record.type === 'message.routed' || record.type === 'message.answered' || record.type === 'message.dropped')
    return findMessage(reader, record.body.message)?.channel
  return isOutgoingRecord(record) ? findOutgoing(reader, outgoingId(record))?.outgoing.channel : undefined
}

/** Which turns are asked for: those of one agent, or of all. */
export const wantedTurns = async (
  parts: ChannelParts,
  { after, target: named, cwd = '/' }: z.infer<typeof TurnsInput>,
): Promise<Wanted> => {
  const agent = named === undefined ? null : (await parts.finder.named({ target: named, cwd })).id
  return { after: after ?? null, agent }
}

/** Turns as they end. */
export async function* turns(
  parts: ChannelParts,
  input: z.infer<typeof TurnsInput>,
  signal: AbortSignal,
): AsyncGenerator<TurnLine | TurnGap> {
  yield* followTurns(parts.turns, await wantedTurns(parts, input), signal)
}
