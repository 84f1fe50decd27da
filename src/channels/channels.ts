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
  /** Whether it answers a question of an agent: then it goes to no inbox. */
  isAnswer(message: Message): boolean
  answer(message: Message): Promise<void>
  /** Into the inbox of an agent, or of the one that has it already. */
  deliver(message: Message, agent: AgentRef): Promise<AgentRef>
  now(): number
  newId(prefix: string): string
  /** A channel, or a route, is another than before. */
  onChange(): void
  /** Something waits. */
  onHeld(message: Message, reason: string): void
  /** Something could not be passed on, and stays held. */
  onTrouble(cause: unknown): void
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

/** What became of a message at once: in an inbox, taken as an answer, or held for a reason. */
export type Taken = { message: Message; agent: AgentRef | null; reason: HeldReason | null; isAnswer: boolean }

/** What is different, or how that follows from what was. */
type Changes = Partial<Channel> | ((before: Channel) => Partial<Channel>)

interface Passing {
  message: Message
  agent: AgentRef
}

/** So many are handed on before others get a turn. */
const batchSize = 100

/** What comes in on channels: who may write, which agent gets it, and what waits because none does. */
export class Channels {
  readonly #ports: ChannelPorts
  readonly #limits: ChannelLimits
  readonly #channels = new Map<string, Channel>()
  readonly #coming = new Map<string, Promise<Message>>()
  readonly #answering = new Map<string, Promise<void>>()
  /** What was said about a message that waits: it is said once. */
  readonly #told = new Map<string, string>()
  #fallback: Route | null = null
  #held: HeldMessage[] = []
  #changing: Promise<unknown> = Promise.resolve()
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

  /** What waits, for which agent if that is known, and why. */
  held(): { message: Message; agent: AgentRef | null; reason: HeldReason }[] {
    return this.#held.map(({ message }) => ({
      message,
      agent: this.#routeFor(message)?.agent ?? null,
      reason: this.#whyHeld(message) ?? 'inbox_full',
    }))
  }

  /** Channels that lead to this agent; null stands for all that have no route of their own. */
  routesTo(agent: string): { channel: Channel | null; route: Route }[] {
    const own = this.all.flatMap((channel) => (channel.route === null ? [] : [{ channel, route: channel.route }]))
    const all = this.#fallback === null ? own : [...own, { channel: null, route: this.#fallback }]
    return all.filter(({ route }) => route.agent.id === agent)
  }

  /** Makes a channel, or changes what is given of it. */
  async set(name: string, changes: Changes, actor: Actor): Promise<Channel> {
    checkName(name)
    const channel = await this.#inTurn(() => this.#set(name, changes, actor))
    await this.#changed()
    return channel
  }

  async #set(name: string, changes: Changes, actor: Actor): Promise<Channel> {
    const before = this.#channels.get(name)
    const change = typeof changes === 'function' ? changes(before ?? Channel.parse({ name })) : changes
    const channel = Channel.parse({ ...before, ...change, name })
    this.#checkRoute(channel.route, name)
    if (channel.isHuman && channel.senders === null)
      throw new ReinError(
        'usage',
        'Whoever answers for you has to be known: a human channel needs its senders.',
        `rein channel create ${name} --human --sender NAME`,
      )
    if (before === undefined || JSON.stringify(before) !== JSON.stringify(channel))
      await this.#write('channel.set', { channel }, actor)
    this.#channels.set(name, channel)
    return channel
  }

  async remove(name: string, actor: Actor): Promise<void> {
    await this.#inTurn(async () => {
      this.#known(name)
      await this.#write('channel.removed', { name }, actor)
      this.#channels.delete(name)
    })
    await this.#changed()
  }

  /** One change after the other: each begins with what the one before it has made. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const mine = this.#changing.then(change)
    this.#changing = mine.catch(() => undefined)
    return mine
  }

  leadsTo(name: string, agent: string): boolean {
    return routeOf(this.#channels.get(name), this.#fallback)?.agent.id === agent
  }

  /** An agent that asks nobody must not be started where text from outside reaches it, unless that was confirmed. */
  checkLaunch(agent: Pick<Agent, 'id' | 'handle'>, request: LaunchRequest): void {
    const open = asksNobody(request) ? this.routesTo(agent.id).find(({ route }) => !route.allowsBypass) : undefined
    if (open !== undefined) throw tooOpen(agent.handle, open.channel?.name ?? null)
  }

  /** Whether text of this channel may be shown to an agent that runs like this, now. `mode` is what its CLI says. */
  mayHear(id: string, channel: string, mode: string | undefined): boolean {
    const agent = this.#ports.agent(id)
    const asksNobodyNow = (agent !== null && isBypassing(agent)) || bypassWords.test(mode ?? '')
    const route = routeOf(this.#channels.get(channel), this.#fallback)
    return !asksNobodyNow || (route?.agent.id === id && route.allowsBypass)
  }

  /** What comes in on this channel goes to this agent from now on; null: to the default, if there is one. */
  route(name: string, route: Route | null, actor: Actor): Promise<Channel> {
    return this.set(name, { route }, actor)
  }

  async setFallback(route: Route | null, actor: Actor): Promise<void> {
    await this.#inTurn(async () => {
      this.#checkRoute(route, null)
      await this.#write('channel.default', { route }, actor)
      this.#fallback = route
    })
    await this.#changed()
  }

  /** Resolves when it is on disk, and as far on its way as it comes now. */
  async receive(given: NewMessage): Promise<Taken> {
    const message = await this.#once(this.#check(given))
    const isAnswer = this.#ports.isAnswer(message)
    await (isAnswer ? this.#answer(message) : this.pass())
    const isWaiting = this.#held.some((one) => one.message.id === message.id)
    const agent = isWaiting ? null : (this.#routeFor(message)?.agent ?? null)
    return { message, agent, isAnswer, reason: isWaiting ? (this.#whyHeld(message) ?? 'inbox_full') : null }
  }

  /** Withdraws one that waits; false if none of that id does, or if it is in an inbox by now. */
  async drop(id: string, actor: Actor): Promise<boolean> {
    const before = this.#passing ?? Promise.resolve()
    const dropping = before.then(async () => {
      if (!this.#held.some(({ message }) => message.id === id)) return false
      await this.#write('message.dropped', { message: id }, actor)
      this.#release([id])
      return true
    })
    this.#passing = dropping.then(
      () => undefined,
      () => undefined,
    )
    return dropping
  }

  /** Beside the others: the terminal of an agent may take its time. */
  #answer(message: Message): Promise<void> {
    const { id } = message
    const answering = this.#answering.get(id) ?? this.#answerNow(message).finally(() => this.#answering.delete(id))
    this.#answering.set(id, answering)
    return answering
  }

  async #answerNow(message: Message): Promise<void> {
    if (!this.#held.some((one) => one.message.id === message.id)) return
    await this.#ports.answer(message)
    await this.#ports.append([this.#record('message.answered', { message: message.id }, { kind: 'daemon' }, null)])
    this.#release([message.id])
  }

  /** Hands on what waits, in the order of arrival; one that has to wait keeps back those behind it for the same agent. */
  pass(): Promise<void> {
    if (!this.#isOpen || this.#held.length === 0) return Promise.resolve()
    const before = this.#passing ?? Promise.resolve()
    const mine = before.then(() => this.#passAll()).catch((cause: unknown) => this.#ports.onTrouble(cause))
    this.#passing = mine
    return mine.finally(() => {
      if (this.#passing === mine) this.#passing = null
    })
  }

  async #passAll(): Promise<void> {
    for (const { message } of this.#held)
      if (this.#ports.isAnswer(message))
        void this.#answer(message).catch((cause: unknown) => this.#ports.onTrouble(cause))
    const stuck = new Set<string>()
    for (;;) {
      const batch = this.#ready(stuck)
      if (batch.length === 0) return
      const passed = await Promise.all(batch.map((one) => this.#deliver(one, stuck)))
      await this.#routed(passed.filter((one) => one !== null))
    }
  }

  /** The next that can be handed on, in the order of arrival; none to an agent that has no room, and none that was refused. */
  #ready(stuck: ReadonlySet<string>): Passing[] {
    const ready: Passing[] = []
    for (const { message } of this.#held) {
      const route = this.#ports.isAnswer(message) || this.#whyHeld(message) !== null ? null : this.#routeFor(message)
      const isStuck = route === null || stuck.has(route.agent.id) || stuck.has(message.id)
      if (!isStuck) ready.push({ message, agent: route.agent })
      if (ready.length === batchSize) break
    }
    return ready
  }

  async #routed(passed: readonly Passing[]): Promise<void> {
    if (passed.length === 0) return
    await this.#ports.append(
      passed.map(({ message, agent }) =>
        this.#record('message.routed', { message: message.id, agent: agent.id }, { kind: 'daemon' }, agent),
      ),
    )
    this.#release(passed.map(({ message }) => message.id))
  }

  #release(ids: readonly string[]): void {
    const gone = new Set(ids)
    this.#held = this.#held.filter(({ message }) => !gone.has(message.id))
    for (const id of ids) this.#told.delete(id)
  }

  /** Null if it could not be handed on, mostly because there is no room for it: then it is tried again when there is. */
  async #deliver({ message, agent }: Passing, stuck: Set<string>): Promise<Passing | null> {
    try {
      return { message, agent: await this.#ports.deliver(message, agent) }
    } catch (cause) {
      const isFull = asReinError(cause).code === 'inbox_full'
      stuck.add(isFull ? agent.id : message.id)
      if (isFull) this.#complain(message, 'inbox_full')
      else this.#ports.onTrouble(cause)
      return null
    }
  }

  #complain(message: Message, reason: string): void {
    if (this.#told.get(message.id) === reason) return
    this.#told.set(message.id, reason)
    this.#ports.onHeld(message, reason)
  }

  #changed(): Promise<void> {
    this.#ports.onChange()
    return this.pass()
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
    throw new ReinError('forbidden', `${sender ?? 'A sender without a name'} may not write to ${channel}.`)
  }

  /** The same key again is the same message, also while the first is being written. */
  async #once(message: Message): Promise<Message> {
    const known = this.#ports.find(message.id) ?? this.#coming.get(message.id)
    if (known !== undefined) return known
    this.#checkRoom(message)
    const coming = this.#keep(message)
    this.#coming.set(message.id, coming)
    return coming.finally(() => this.#coming.delete(message.id))
  }

  /** What can be handed on needs no room here, and one channel takes none from another. */
  #checkRoom(message: Message): void {
    if (this.#whyHeld(message) === null) return
    const waiting = this.#held.filter((one) => one.message.channel === message.channel).length
    if (waiting < this.#limits.maxHeld) return
    throw new ReinError(
      'inbox_full',
      `${waiting} messages of ${message.channel} wait already.`,
      `Route it: rein channel route ${message.channel} <handle>`,
    )
  }

  async #keep(message: Message): Promise<Message> {
    const actor: Actor = { kind: 'channel', name: message.channel, sender: message.sender }
    const record = { ...this.#record('message.received', { message }, actor, null), id: `${message.id}:received` }
    const [seq = 0] = await this.#ports.append([record])
    this.#held.push({ message, seq })
    this.#held.sort((a, b) => a.seq - b.seq)
    const reason = this.#whyHeld(message)
    if (reason !== null) this.#complain(message, reason)
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

/** Whether the tools of an agent that is started like this run without anybody being asked: by a flag or a policy of Rein, or by a mode of its CLI. */
export const asksNobody = ({ autoApprove, permissionMode, policy, args, env }: LaunchRequest): boolean =>
  autoApprove === true ||
  policy?.otherwise === 'approve' ||
  Object.entries(policy?.tools ?? {}).some(([tool, rule]) => rule === 'approve' && shells.test(tool)) ||
  args.some((word, index) => allowing.test(word) && shells.test(args[index + 1] ?? '')) ||
  [permissionMode ?? '', ...args, ...Object.keys(env)].some((word) => bypassWords.test(word))

/** What the five CLIs call it, in every way in which it can be written; a word too many costs a confirmation, one too few much more. */
const bypassWords =
  /bypassPermissions|dangerously-(skip|bypass-approvals)|danger-full-access|yolo|full-auto|allow-all|autopilot|^-y$|approval\S*\W+never|^(-a)?never$|^COPILOT_ALLOW_ALL$/i

/** Who may run any command may do anything. */
const shells = /^(\*|bash|shell|exec_command|run_shell_command)$/i
const allowing = /^--(allow-?tools?|allowed-?tools)$/i

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
