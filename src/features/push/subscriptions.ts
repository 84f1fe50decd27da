import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type { UnsubscribeReason } from '../../contract/push.ts'
import { type AnyNewRecord, newRecord, type RecordBody } from '../../contract/record.ts'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { isAbsent } from '../../base/util/absent.ts'
import { Serial } from '../../base/util/serial.ts'

const Subscription = z.object({
  device: z.string(),
  /** What the device was called then. */
  name: z.string(),
  endpoint: z.string(),
  p256dh: z.string(),
  auth: z.string(),
  at: z.number(),
})
export type Subscription = z.infer<typeof Subscription>

interface SubscriptionPorts {
  /** Only this user can read it. */
  file: string
  append(records: AnyNewRecord[]): Promise<number[]>
  /** Whether this device may connect. */
  isPaired(device: string): boolean
  now(): number
  newId(prefix: string): string
  onTrouble(cause: unknown): void
}

/** Which device is pushed to, and how: in a file, because the log must hold none of it. */
export class Subscriptions {
  readonly #ports: SubscriptionPorts
  readonly #changing = new Serial()
  #all: readonly Subscription[]

  constructor(ports: SubscriptionPorts) {
    this.#ports = ports
    this.#all = this.#read()
  }

  get all(): readonly Subscription[] {
    return this.#all
  }

  of(device: string): Subscription | undefined {
    return this.#all.find((one) => one.device === device)
  }

  /** One for each device; and one for each endpoint, which has another device when a browser was paired again. */
  add(given: Subscription, actor: Actor): Promise<Subscription> {
    const { device, endpoint } = given
    return this.#changing.run(async () => {
      // Its request can be older than its revocation.
      if (!this.#ports.isPaired(device)) throw new ReinError('unknown_device', 'This device was revoked.')
      // A browser gets a new endpoint now and then: it has been subscribed since the first.
      const subscription = { ...given, at: this.of(device)?.at ?? given.at }
      const moved = this.#all.filter((one) => one.endpoint === endpoint && one.device !== device)
      const others = this.#all.filter((one) => one.device !== device && !moved.includes(one))
      await this.#keep([...others, subscription])
      await this.#ports.append([
        ...moved.map((one) => this.#record('subscription.ended', { device: one.device, reason: 'moved' }, actor)),
        this.#record('subscription.made', { device, service: serviceOf(subscription) }, actor),
      ])
      return subscription
    })
  }

  /** False if it is not there any more, or was made anew meanwhile. */
  remove(subscription: Subscription, reason: UnsubscribeReason, actor: Actor): Promise<boolean> {
    return this.#changing.run(async () => {
      if (this.of(subscription.device) !== subscription) return false
      await this.#end(subscription, reason, actor)
      return true
    })
  }

  /** Ends what a device has by then. */
  drop(device: string, actor: Actor): Promise<void> {
    return this.#changing.run(async () => {
      const subscription = this.of(device)
      if (subscription !== undefined) await this.#end(subscription, 'revoked', actor)
    })
  }

  async #end(subscription: Subscription, reason: UnsubscribeReason, actor: Actor): Promise<void> {
    await this.#keep(this.#all.filter((one) => one !== subscription))
    await this.#ports.append([this.#record('subscription.ended', { device: subscription.device, reason }, actor)])
  }

  async #keep(all: readonly Subscription[]): Promise<void> {
    mkdirSync(dirname(this.#ports.file), { recursive: true, mode: 0o700 })
    await writeFileAtomic(this.#ports.file, `${JSON.stringify(all)}\n`)
    this.#all = all
  }

  #read(): Subscription[] {
    const { file } = this.#ports
    try {
      return isAbsent(file) ? [] : z.array(Subscription).parse(JSON.parse(readFileSync(file, 'utf8')))
    } catch {
      // The cause could quote it.
      this.#ports.onTrouble(`${file} cannot be read: nobody is subscribed.`)
      return []
    }
  }

  #record<T extends 'subscription.made' | 'subscription.ended'>(
    type: T,
    body: RecordBody<T>,
    actor: Actor,
  ): AnyNewRecord {
    const context = { id: this.#ports.newId('rec'), at: this.#ports.now(), actor, agent: null, project: null }
    return newRecord(type, body, context) as AnyNewRecord
  }
}

/** All that may be said of an endpoint. */
export const serviceOf = ({ endpoint }: Pick<Subscription, 'endpoint'>): string => new URL(endpoint).host
