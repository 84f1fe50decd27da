import { ReinError } from '../../contract/errors.ts'
import type { Actor, Via } from '../../contract/identity.ts'
import { pushChannel } from '../../contract/push.ts'
import type { pushRoutes, SubscribePushRequest } from '../../contract/routes/push.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import type { Channels } from '../channels/channels.ts'
import { isTestService, readEndpoint } from './endpoint.ts'
import { testPush } from './message.ts'
import type { Pusher } from './pusher.ts'
import { resolvePublic } from './public-address.ts'
import { isPoint } from './seal.ts'
import { serviceOf, type Subscription, type Subscriptions } from './subscriptions.ts'
import type { VapidKeys } from './vapid.ts'

interface HandlerPorts {
  keys: VapidKeys
  subscriptions: Subscriptions
  pusher: Pick<Pusher, 'push'>
  channels: () => Pick<Channels, 'set'>
  showsDetail: boolean
  allowsLoopback: boolean
  now: () => number
}

export const pushHandlers = (ports: HandlerPorts): Handlers<typeof pushRoutes> => {
  const { keys, subscriptions, pusher, showsDetail, now } = ports
  return {
    pushKey: async ({ actor }) => {
      const device = findDevice(actor)
      const subscription = device === null ? undefined : subscriptions.of(device.id)
      const { publicKey } = await keys.get()
      return { key: publicKey, subscription: subscription === undefined ? null : viewOf(subscription), showsDetail }
    },
    subscribePush: async ({ actor, input }) => {
      const { id: device, name } = deviceOf(actor)
      await checkSubscription(input, ports.allowsLoopback)
      const { endpoint, keys: receiver } = input
      const subscription = await subscriptions.add({ device, name, endpoint, ...receiver, at: now() }, actor)
      // Nobody may write there: a question is answered on the page, with its id.
      await ports.channels().set(pushChannel, { isHuman: true, isKept: true, senders: [] }, actor)
      return viewOf(subscription)
    },
    unsubscribePush: async ({ actor }) => {
      const subscription = subscriptions.of(deviceOf(actor).id)
      const wasSubscribed = subscription !== undefined && (await subscriptions.remove(subscription, 'asked', actor))
      return { wasSubscribed }
    },
    testPush: async ({ actor }) => {
      const { id } = deviceOf(actor)
      const subscription = subscriptions.of(id)
      if (subscription === undefined) throw notSubscribed()
      const outcome = await pusher.push(subscription, testPush(now(), id))
      if (outcome.kind === 'gone') throw notSubscribed()
      const service = serviceOf(subscription)
      if (outcome.kind === 'taken') return { service }
      throw new ReinError('unavailable', `${service} did not take the notification: ${outcome.reason}.`)
    },
  }
}

const findDevice = (actor: Actor): Via | null => (actor.kind === 'user' ? (actor.via ?? null) : null)

const deviceOf = (actor: Actor): Via => {
  const device = findDevice(actor)
  if (device !== null) return device
  throw new ReinError('refused', 'Only a paired browser can be notified.', 'Ask from the page in that browser.')
}

const checkSubscription = async ({ endpoint, keys }: SubscribePushRequest, allowsLoopback: boolean): Promise<void> => {
  const url = readEndpoint(endpoint, allowsLoopback)
  if (!isPoint(Buffer.from(keys.p256dh, 'base64url')))
    throw new ReinError('usage', 'The key `p256dh` is no point on the curve P-256.')
  if (!isTestService(url)) await resolvePublic(url.hostname)
}

const notSubscribed = (): ReinError =>
  new ReinError('not_found', 'This browser is not subscribed any more.', 'Switch its notifications on again.')

const viewOf = (subscription: Subscription) => ({ service: serviceOf(subscription), at: subscription.at })
