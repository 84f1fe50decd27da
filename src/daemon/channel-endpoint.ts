import type { z } from 'zod'
import { type ReceivedView, ReceiveInput } from '../contract/routes/channels.ts'
import type { Channel, MessageVia } from '../contract/channel.ts'
import { ReinError } from '../contract/errors.ts'
import type { Actor, ChannelActor } from '../contract/identity.ts'
import { routes } from '../contract/routes/all.ts'
import type { ChannelsApi } from '../features/channels/feature.ts'
import { readWebhook } from '../features/channels/webhooks/payload.ts'
import { parseObject } from '../base/util/json.ts'
import { type Caller, hasChannelToken } from './actor.ts'
import { receivePath } from './gate.ts'
import { bodyText, type Ctx } from './requests.ts'
import type { DaemonParts } from './status.ts'

type Incoming = z.infer<typeof ReceiveInput>
type Parts = Pick<DaemonParts, 'base' | 'features'>

/** More than any message that is taken, with all that a webhook may say around it. */
const maxBytes = 1024 * 1024

export const callerOf = (c: Ctx): Caller => ({
  overSocket: c.env.overSocket,
  socket: c.env.incoming.socket,
  header: (name) => c.req.header(name),
})

/** The channel that brings a message, by its token or, over TCP, by a signature that is checked with the body. */
export const channelCaller = (c: Ctx, caller: Caller, { base, features }: Parts): ChannelActor | null => {
  const [, name = ''] = receivePath.exec(c.req.path) ?? []
  const channel = c.req.method === routes.receive.method ? features.apis.channels.channels.get(name) : undefined
  if (channel === undefined) return null
  const isKnown = hasChannelToken(caller, base.endpoint, channel) || (!caller.overSocket && isSigned(caller, channel))
  return isKnown ? { kind: 'channel', name, sender: null } : null
}

const isSigned = (caller: Caller, { signature }: Channel): boolean =>
  signature !== null && caller.header(signatureHeaders[signature]) !== undefined

const signatureHeaders = { github: 'x-hub-signature-256', slack: 'x-slack-signature' } as const

/** One message: JSON with `content`, plain text, or a signed webhook as its sender makes it. */
export const receive = async (
  { base, features }: Parts,
  c: Ctx,
  actor: Actor,
  fit: (answer: ReceivedView) => ReceivedView,
): Promise<Response> => {
  const name = c.req.param('name') ?? ''
  const header = (one: string): string | undefined => c.req.header(one)
  const body = await (actor.kind === 'channel' ? bodyText(c, maxBytes) : bodyText(c))
  const { apis } = features
  const channel = apis.channels.channels.get(name)
  const isProven =
    actor.kind !== 'channel' || (channel !== undefined && hasChannelToken(callerOf(c), base.endpoint, channel))
  const via = c.env.overSocket ? 'socket' : 'http'
  if (isProven) return c.json(fit(await take(apis.channels, name, via, actor, parse(body, header))))
  const webhook = readWebhook(channel?.signature ?? null, apis.channels.secrets.of(name), body, header, base.now())
  if (webhook.kind === 'nothing') return c.body(null, 204)
  if (webhook.kind === 'challenge') return c.text(webhook.answer)
  return c.json(fit(await take(apis.channels, name, via, actor, webhook.message)))
}

/** All senders of a channel together may bring so many times what one may: a sender can have many names. */
const everybody = 10

const take = (
  { rates, receive: takeIn }: ChannelsApi,
  name: string,
  via: MessageVia,
  actor: Actor,
  incoming: Incoming,
): Promise<ReceivedView> => {
  if (actor.kind === 'channel' && !(rates.passes(`${name} ${incoming.sender ?? ''}`) && rates.passes(name, everybody)))
    throw new ReinError(
      'rate_limited',
      'Too many messages within a minute.',
      'Send fewer, or raise channels.rate_per_minute.',
    )
  return takeIn(name, via, incoming)
}

const parse = (body: string, header: Caller['header']): Incoming => {
  const key = header('idempotency-key')
  const value = header('content-type')?.includes('json') === true ? parseObject(body) : { content: body }
  const given = ReceiveInput.safeParse({ ...value, ...(key === undefined ? {} : { key }) })
  if (given.success) return given.data
  throw new ReinError('usage', 'A message is JSON with a text as `content`, or plain text.')
}
