import type { Agent } from '../../contract/agent.ts'
import type { Outgoing } from '../../contract/channel.ts'
import type { Device } from '../../contract/device.ts'
import { byRein } from '../../contract/identity.ts'
import { pushChannel, type PushMessage } from '../../contract/push.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import type { Outbox } from '../channels/outbox.ts'
import { composePush, type Push, shortest, withoutActions } from './message.ts'
import type { Posting, PushOutcome } from './post.ts'
import { longestMessage, sealMessage } from './seal.ts'
import { type Subscription, type Subscriptions } from './subscriptions.ts'
import { authorize, type VapidKeys } from './vapid.ts'

interface PusherPorts {
  outbox: Pick<Outbox, 'take' | 'settle'>
  subscriptions: Subscriptions
  keys: VapidKeys
  /** A paired device; null if it was revoked. */
  device: (id: string) => Pick<Device, 'scopes'> | null
  agent: (id: string) => Agent | null
  post: (posting: Posting) => Promise<PushOutcome>
  showsDetail: boolean
  contact: string | null
  now: () => number
  /** Ends early, and without an error, when it is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  onTrouble: (cause: unknown) => void
}

/** A slow push service holds up only its own message. */
const workers = 4
/** Longer than any request, with the shorter message after it. */
const leaseMs = 60_000
const waitMs = 600_000
/** What fails at once, as on a full disk, is not tried again at once. */
const troubleMs = 5_000
/** Messages of which it is known who has them: more than ever wait, or are dead letters that somebody still retries. */
const rememberedMessages = 1_000

/** Takes what is on the channel out of the outbox, and pushes it to every subscribed device. */
export class Pusher {
  readonly #ports: PusherPorts
  /** The devices that have a message already; others may get it later, also when somebody retries a dead letter. */
  readonly #reached = new BoundedMap<string, Set<string>>(rememberedMessages)

  constructor(ports: PusherPorts) {
    this.#ports = ports
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: workers }, () => this.#work(signal)))
  }

  async #work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for (const outgoing of await this.#ports.outbox.take(pushChannel, { limit: 1, leaseMs, waitMs }, signal))
          await this.#deliver(outgoing)
      } catch (cause) {
        // The lease ends, and the message comes again.
        this.#ports.onTrouble(cause)
        await this.#ports.pause(troubleMs, signal)
      }
    }
  }

  async #deliver(outgoing: Outgoing): Promise<void> {
    const { outbox, agent, showsDetail, now } = this.#ports
    const { id, at } = outgoing
    const reached = this.#reached.get(id) ?? new Set()
    this.#reached.set(id, reached)
    const push = composePush(outgoing, { agent, showsDetail, now: now() })
    const waiting = this.#present().filter((one) => one.at <= at && !reached.has(one.device))
    const outcomes = push === null ? [] : await Promise.all(waiting.map((one) => this.#pushOnce(one, push, reached)))
    const failures = outcomes.filter((one) => one !== null)
    if (failures.length === 0) {
      const why = push === null ? 'it is answered, or too old' : 'no browser is subscribed to it'
      await outbox.settle(reached.size > 0 ? { id } : { id, skipped: why }, byRein)
      return void this.#reached.delete(id)
    }
    const again = failures.filter(({ outcome }) => outcome.kind === 'later')
    const error = failures.map(({ device, outcome }) => `${device}: ${outcome.reason}`).join('; ')
    const waits = again.flatMap(({ outcome }) => ('retryInMs' in outcome ? [outcome.retryInMs ?? 0] : []))
    const retryInMs = again.length === 0 ? null : waits.length === 0 ? undefined : Math.max(...waits)
    await outbox.settle({ id, error, retryInMs }, byRein)
  }

  /** Null when nothing is left to be done for this device. */
  async #pushOnce(subscription: Subscription, push: Push, reached: Set<string>) {
    const outcome = await this.push(subscription, push)
    if (outcome.kind === 'taken') reached.add(subscription.device)
    return outcome.kind === 'later' || outcome.kind === 'refused' ? { device: subscription.name, outcome } : null
  }

  /** Pushes to one device; a subscription that has ended is removed. */
  async push(subscription: Subscription, push: Push): Promise<Exclude<PushOutcome, { kind: 'too_large' }>> {
    const { device, subscriptions } = this.#ports
    const mayAnswer = device(subscription.device)?.scopes.includes('answer') === true
    const message = mayAnswer ? push.message : withoutActions(push.message)
    const first = await this.#send(subscription, push, message)
    const outcome = first.kind === 'too_large' ? await this.#send(subscription, push, shortest(message)) : first
    if (outcome.kind === 'gone') await subscriptions.remove(subscription, 'gone', byRein)
    if (outcome.kind === 'too_large') return { kind: 'refused', reason: 'status 413' }
    return outcome
  }

  async #send(subscription: Subscription, { urgency, ttlSeconds }: Push, message: PushMessage): Promise<PushOutcome> {
    const { keys, contact, post, now } = this.#ports
    const text = Buffer.from(JSON.stringify(message))
    if (text.length > longestMessage) return { kind: 'too_large' }
    const url = new URL(subscription.endpoint)
    const authorization = authorize(await keys.get(), { audience: url.origin, contact, now: now() })
    const [p256dh, auth] = [subscription.p256dh, subscription.auth].map((key) => Buffer.from(key, 'base64url'))
    if (p256dh === undefined || auth === undefined) throw new Error('A subscription has two keys.')
    return post({
      url,
      body: sealMessage(text, { p256dh, auth }),
      headers: {
        authorization,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(ttlSeconds),
        topic: message.tag,
        urgency,
      },
    })
  }

  /** Without those whose device was revoked. */
  #present(): Subscription[] {
    return this.#ports.subscriptions.all.filter(({ device }) => this.#ports.device(device) !== null)
  }
}
