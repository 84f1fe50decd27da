import { createHash } from 'node:crypto'
import type { Agent, LaunchRequest } from '../contract/agent.ts'
import { Channel, type Message, type MessageVia, type Route } from '../contract/channel.ts'
import { asReinError, ReinError } from '../contract/errors.ts'
import { channelPattern } from '../contract/handle.ts'
import type { Actor, AgentRef } from '../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../contract/record.ts'
import { type HeldMessage, routeOf } from './channel.ts'

/** What channels need of the world. */
export interface ChannelPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  /** What is written down of channels and of messages that wait. */
  load(): { channels: Channel[]; fallback: Route | null; held: HeldMessage[] }
  find(id: string): Message | undefined
  agent(id: string): Agent | null
  /** Whether it was an answer to a question of an agent: then it goes to no inbox. */
  takes(message: Message): Promise<boolean>
  /** Into the inbox of an agent; the same id again is the same message. */
  deliver(message: Message, agent: AgentRef): Promise<unknown>
  now(): number
  newId(prefix: string): string
  /** A channel, or a route, is another than before. */
  onChange(): void
  /** Something waits. */
  onHeld(message: Message, reason: HeldReason): void
}

export interface ChannelLimits {
  maxTextBytes: number
  maxHeld: number
}

export interface NewMessage {
  channel: string
  text: string
  via: MessageVia
  sender?: string | null | undefined
  claimedAt?: number | null | undefined
  meta?: Record<string, unknown> | undefined
  /** A message that comes again with the same key is the same message. */
  key?: string | undefined
}

export type HeldReason = 'no_route' | 'bypass_mode' | 'agent_gone' | 'inbox_full'

export type Taken = { message: Message; agent: AgentRef | null; reason: HeldReason | null }

/** What comes in on channels: who may write, which agent gets it, and what waits because none does. */
export class Channels {
  readonly #ports: ChannelPorts
  readonly #limits: ChannelLimits
  readonly #channels = new Map<string, Channel>()
  readonly #coming = new Map<string, Promise<Message>>()
  #fallback: Route | null = null
  #held: HeldMessage[] = []
  #passing: Promise<void> | null = null
  #isOpen = false

  constructor(ports: ChannelPorts, limits: ChannelLimits) {
    this.#ports = ports
    this.#limits = limits
    this.reload()
  }

  /** Forgets what it remembers and reads what is written down. */
  reload(): void {
    const { channels, fallback, held } = this.#ports.load()
    this.#channels.clear()
    for (const channel of channels) this.#channels.set(channel.name, channel)
    this.#fallback = fallback
    this.#held = held
  }

  /** Agents are known: what an earlier daemon had taken in and not passed on is passed on now. */
  open(): void {
    this.#isOpen = true
    void this.pass()
  }

  get all(): Channel[] {
    return [...this.#channels.values()]
  }

  get fallback(): Route | null {
    return this.#fallback
  }

  get(name: string): Channel | undefined {
    return this.#channels.get(name)
  }

  /** What waits, and why. */
  held(): { message: Message; reason: HeldReason }[] {
    return this.#held.map(({ message }) => ({ message, reason: this.#whyHeld(message) ?? 'inbox_full' }))
  }

  /** Channels that lead to this agent; null stands for all that have no route of their own. */
  routesTo(agent: string): { channel: Channel | null; route: Route }[] {
    const own = this.all.flatMap((channel) => (channel.route === null ? [] : [{ channel, route: channel.route }]))
    const all = this.#fallback === null ? own : [...own, { channel: null, route: this.#fallback }]
    return all.filter(({ route }) => route.agent.id === agent)
  }

  /** Makes a channel, or changes what is given of it. */
  async set(name: string, changes: Partial<Channel>, actor: Actor): Promise<Channel> {
    checkName(name)
    const channel = Channel.parse({ ...this.#channels.get(name), ...changes, name })
    await this.#write('channel.set', { channel }, actor)
    this.#channels.set(name, channel)
    this.#changed()
    return channel
  }

  async remove(name: string, actor: Actor): Promise<void> {
    this.#known(name)
    await this.#write('channel.removed', { name }, actor)
    this.#channels.delete(name)
  }

  leadsTo(name: string, agent: string): boolean {
    return routeOf(this.#channels.get(name), this.#fallback)?.agent.id === agent
  }

  /** An agent that asks nobody must not be started where text from outside reaches it, unless that was confirmed. */
  checkLaunch(agent: Pick<Agent, 'id' | 'handle'>, request: LaunchRequest): void {
    const open = asksNobody(request) ? this.routesTo(agent.id).find(({ route }) => !route.allowsBypass) : undefined
    if (open !== undefined) throw tooOpen(agent.handle, open.channel?.name ?? null)
  }

  /** What comes in on this channel goes to this agent from now on; null: to the default, if there is one. */
  async route(name: string, route: Route | null, actor: Actor): Promise<Channel> {
    this.#checkRoute(route, name)
    return this.set(name, { route }, actor)
  }

  async setFallback(route: Route | null, actor: Actor): Promise<void> {
    this.#checkRoute(route, null)
    await this.#write('channel.default', { route }, actor)
    this.#fallback = route
    this.#changed()
  }

  /** Resolves when it is on disk, and as far on its way as it comes now. */
  async receive(given: NewMessage): Promise<Taken> {
    const message = await this.#once(this.#check(given))
    await this.pass()
    const isWaiting = this.#held.some((one) => one.message.id === message.id)
    const route = this.#routeFor(message)
    if (!isWaiting) return { message, agent: route?.agent ?? null, reason: null }
    return { message, agent: null, reason: this.#whyHeld(message) ?? 'inbox_full' }
  }

  /** Hands on what waits, in the order of arrival; one that has to wait keeps back those behind it for the same agent. */
  pass(): Promise<void> {
    if (!this.#isOpen || this.#held.length === 0) return Promise.resolve()
    const before = this.#passing ?? Promise.resolve()
    const mine = before.then(() => this.#passAll())
    this.#passing = mine
    return mine.finally(() => {
      if (this.#passing === mine) this.#passing = null
    })
  }

  async #passAll(): Promise<void> {
    const ready = this.#held.flatMap(({ message }) => {
      const route = this.#whyHeld(message) === null ? this.#routeFor(message) : null
      return route === null ? [] : [{ message, agent: route.agent }]
    })
    const passed = await Promise.all(ready.map((one) => this.#deliver(one)))
    const done = passed.filter((one) => one !== null)
    if (done.length === 0) return
    await this.#ports.append(
      done.map(({ message, agent }) =>
        this.#record('message.routed', { message: message.id, agent: agent.id }, { kind: 'daemon' }, agent),
      ),
    )
    const ids = new Set(done.map(({ message }) => message.id))
    this.#held = this.#held.filter(({ message }) => !ids.has(message.id))
  }

  /** Null if there is no room for it: then it is tried again when there is. */
  async #deliver(one: { message: Message; agent: AgentRef }): Promise<typeof one | null> {
    try {
      if (!(await this.#ports.takes(one.message))) await this.#ports.deliver(one.message, one.agent)
      return one
    } catch (cause) {
      if (asReinError(cause).code !== 'inbox_full') throw cause
      this.#ports.onHeld(one.message, 'inbox_full')
      return null
    }
  }

  #changed(): void {
    this.#ports.onChange()
    void this.pass()
  }

  #routeFor({ channel }: Message): Route | null {
    return routeOf(this.#channels.get(channel), this.#fallback)
  }

  #whyHeld(message: Message): HeldReason | null {
    const route = this.#routeFor(message)
    if (route === null) return 'no_route'
    const agent = this.#ports.agent(route.agent.id)
    if (agent === null) return 'agent_gone'
    return isBypassing(agent) && !route.allowsBypass ? 'bypass_mode' : null
  }

  #checkRoute(route: Route | null, name: string | null): void {
    if (route === null || route.allowsBypass) return
    const agent = this.#ports.agent(route.agent.id)
    if (agent !== null && isBypassing(agent)) throw tooOpen(agent.handle, name)
  }

  #check(given: NewMessage): Message {
    const { channel, text, via, sender = null, claimedAt = null, meta = {}, key } = given
    checkName(channel)
    this.#checkSender(channel, sender)
    if (text.trim() === '') throw new ReinError('empty_text', 'There is no text in the message.')
    if (/\p{Surrogate}/u.test(text)) throw new ReinError('invalid_text', 'The text is not valid Unicode.')
    const bytes = Buffer.byteLength(text)
    if (bytes > this.#limits.maxTextBytes)
      throw new ReinError(
        'text_too_large',
        `The text has ${bytes} bytes; ${this.#limits.maxTextBytes} are possible.`,
        'Put it into a file and send its path.',
      )
    const id = key === undefined ? this.#ports.newId('msg') : `msg_${digest(`${channel}\0${key}`)}`
    return { id, channel, text, sender, via, at: this.#ports.now(), claimedAt, meta }
  }

  #checkSender(channel: string, sender: string | null): void {
    const senders = this.#channels.get(channel)?.senders ?? null
    if (senders === null || (sender !== null && senders.includes(sender))) return
    throw new ReinError('forbidden', `${sender ?? 'Nobody that is named'} may not write to ${channel}.`)
  }

  /** The same key again is the same message, also while the first is being written. */
  async #once(message: Message): Promise<Message> {
    const known = this.#ports.find(message.id) ?? (await this.#coming.get(message.id))
    if (known !== undefined) return known
    if (this.#held.length >= this.#limits.maxHeld)
      throw new ReinError(
        'inbox_full',
        `${this.#held.length} messages wait already.`,
        'Route their channels: rein channel list',
      )
    const coming = this.#keep(message)
    this.#coming.set(message.id, coming)
    return coming.finally(() => this.#coming.delete(message.id))
  }

  async #keep(message: Message): Promise<Message> {
    const actor: Actor = { kind: 'channel', name: message.channel, sender: message.sender }
    const record = { ...this.#record('message.received', { message }, actor, null), id: `${message.id}:received` }
    const [seq = 0] = await this.#ports.append([record])
    this.#held.push({ message, seq })
    this.#held.sort((a, b) => a.seq - b.seq)
    const reason = this.#whyHeld(message)
    if (reason !== null) this.#ports.onHeld(message, reason)
    return message
  }

  #known(name: string): Channel {
    const channel = this.#channels.get(name)
    if (channel === undefined)
      throw new ReinError('unknown_channel', `There is no channel ${name}.`, 'List them: rein channel list')
    return channel
  }

  #write<T extends RecordType>(type: T, body: RecordBody<T>, actor: Actor): Promise<number[]> {
    return this.#ports.append([this.#record(type, body, actor, null)])
  }

  #record<T extends RecordType>(type: T, body: RecordBody<T>, actor: Actor, agent: AgentRef | null): AnyNewRecord {
    const context = {
      id: this.#ports.newId('rec'),
      at: this.#ports.now(),
      actor,
      agent: agent?.id ?? null,
      project: agent?.project ?? null,
    }
    return newRecord(type, body, context) as AnyNewRecord
  }
}

export const checkName = (name: string): void => {
  if (!channelPattern.test(name))
    throw new ReinError(
      'usage',
      `${JSON.stringify(name)} is no name of a channel.`,
      'Use up to 32 of: a to z, 0 to 9, _ and -.',
    )
}

const tooOpen = (handle: string, channel: string | null): ReinError =>
  new ReinError(
    'refused',
    `${handle} would run its tools without asking, and text from outside could make it do anything.`,
    `Start it without that, or confirm it for this pair: rein channel ${channel === null ? 'default' : `route ${channel}`} ${handle} --allow-bypass`,
  )

const isBypassing = ({ request }: Agent): boolean => request !== null && asksNobody(request)

/** Whether the tools of an agent that is started like this run without anybody being asked: by a flag of Rein, or by a mode of its CLI. */
export const asksNobody = ({ autoApprove, permissionMode, args }: LaunchRequest): boolean =>
  autoApprove === true || [permissionMode ?? '', ...args].some((word) => bypassWords.test(word))

const bypassWords = /bypass|dangerously|yolo|full-auto|allow-all|never/i

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
