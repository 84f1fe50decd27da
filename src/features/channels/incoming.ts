import type { Message, Route } from '../../contract/channel.ts'
import { asReinError, ReinError } from '../../contract/errors.ts'
import { type Actor, type AgentRef, byRein } from '../../contract/identity.ts'
import {
  type AnyNewRecord,
  type NewRecord,
  newRecord,
  type RecordBody,
  type RecordContext,
  type RecordType,
} from '../../contract/record.ts'
import { splitRoomKey } from '../../contract/team.ts'
import type { HeldMessage } from './channel.ts'
import { type Channels, checkName, type Obstacle } from './channels.ts'
import { checkSender, checkText, keyedId, type NewMessage, notCopied } from './new-message.ts'

/** The effects that incoming messages need. */
interface IncomingPorts {
  channels: Channels
  append(records: AnyNewRecord[]): Promise<number[]>
  /** Reads the stored messages that wait. */
  load(): HeldMessage[]
  find(id: string): Message | undefined
  /** Whether it answers a question of an agent: then it goes to no inbox and no room. */
  isAnswer(message: Message): boolean
  answer(message: Message): Promise<void>
  /** Into the inbox of an agent, or of the one that has it already. */
  deliver(message: Message, agent: AgentRef): Promise<AgentRef>
  /** Into the room of this key, unless it is there already; what is posted in order stays in order. */
  post(message: Message, room: string): Promise<void>
  now(): number
  newId(prefix: string): string
  /** Something waits. */
  onHeld(message: Message, reason: HeldReason): void
  /** Something could not be passed on, and stays held. */
  onTrouble(cause: unknown): void
}

interface IncomingLimits {
  maxTextBytes: number
  maxHeld: number
}

type HeldReason = Obstacle | 'inbox_full'

/** The immediate outcome of a message: in an inbox, in a room, taken as an answer, or held with a reason. */
interface Taken {
  message: Message
  agent: AgentRef | null
  room: string | null
  reason: HeldReason | null
  isAnswer: boolean
}

interface Passing {
  message: Message
  route: Route
}

/** It has arrived. */
type Routed = NewRecord<'message.routed'>

/** So many are handed on before others get a turn. */
const batchSize = 100

/** Messages that came in, on their way to an agent or into a room; what cannot go on waits. */
export class Incoming {
  readonly #ports: IncomingPorts
  readonly #limits: IncomingLimits
  readonly #coming = new Map<string, Promise<Message>>()
  readonly #answering = new Map<string, Promise<void>>()
  /** The reasons that were reported for waiting messages, each once. */
  readonly #told = new Map<string, HeldReason>()
  #held: HeldMessage[] = []
  #passing: Promise<void> | null = null
  #isOpen = false

  constructor(ports: IncomingPorts, limits: IncomingLimits) {
    this.#ports = ports
    this.#limits = limits
    this.reload()
  }

  /** Forgets what it remembers and reads what is written down. */
  reload(): void {
    this.#held = this.#ports.load()
  }

  /** Agents are known: what an earlier daemon had taken in and not passed on is passed on now. */
  open(): void {
    this.#isOpen = true
    void this.pass()
  }

  /** The waiting messages, each with its agent, if known, and the reason. */
  held(): { message: Message; agent: AgentRef | null; reason: HeldReason }[] {
    return this.#held.map(({ message }) => ({
      message,
      agent: agentIn(this.#routeOf(message)),
      reason: this.#obstacleOf(message) ?? 'inbox_full',
    }))
  }

  /** Resolves when it is on disk, and as far on its way as it comes now. */
  async receive(given: NewMessage): Promise<Taken> {
    const { channel, text, via, sender = null, claimedAt = null, meta = {}, key } = given
    checkName(channel)
    checkSender(channel, sender, this.#ports.channels.get(channel)?.senders ?? null)
    checkText(text, this.#limits.maxTextBytes)
    const id = key === undefined ? this.#ports.newId('msg') : keyedId(channel, key)
    const message = await this.#once({ id, channel, text, sender, via, at: this.#ports.now(), claimedAt, meta })
    const isAnswer = this.#ports.isAnswer(message)
    await (isAnswer ? this.#answer(message) : this.pass())
    const isWaiting = this.#isWaiting(message.id)
    const route = isWaiting ? null : this.#routeOf(message)
    const reason = isWaiting ? (this.#obstacleOf(message) ?? 'inbox_full') : null
    return {
      message,
      agent: agentIn(route),
      room: isAnswer ? null : route !== null && 'room' in route ? route.room : null,
      isAnswer,
      reason,
    }
  }

  /** The same key again is the same message, also while the first is being written. */
  async #once(message: Message): Promise<Message> {
    const known = this.#ports.find(message.id) ?? this.#coming.get(message.id)
    if (known !== undefined) return notCopied(await known, message)
    // Only held messages count against the limit, and each channel has its own.
    const waiting = this.#held.filter((one) => one.message.channel === message.channel).length
    if (this.#obstacleOf(message) !== null && waiting >= this.#limits.maxHeld)
      throw new ReinError(
        'inbox_full',
        `${waiting} messages of ${message.channel} wait already.`,
        `Route it: rein channel route ${message.channel} worker-1`,
      )
    const coming = this.#keep(message)
    this.#coming.set(message.id, coming)
    return coming.finally(() => this.#coming.delete(message.id))
  }

  async #keep(message: Message): Promise<Message> {
    const actor: Actor = { kind: 'channel', name: message.channel, sender: message.sender }
    const record = { ...this.#record('message.received', { message }, { actor }), id: `${message.id}:received` }
    const [seq = 0] = await this.#ports.append([record])
    this.#held.push({ message, seq })
    this.#held.sort((a, b) => a.seq - b.seq)
    const reason = this.#obstacleOf(message)
    if (reason !== null) this.#complain(message, reason)
    return message
  }

  /** Beside the others: the terminal of an agent may take its time. */
  #answer(message: Message): Promise<void> {
    const { id } = message
    const answering = this.#answering.get(id) ?? this.#answerNow(message).finally(() => this.#answering.delete(id))
    this.#answering.set(id, answering)
    return answering
  }

  async #answerNow(message: Message): Promise<void> {
    if (!this.#isWaiting(message.id)) return
    await this.#ports.answer(message)
    await this.#ports.append([this.#record('message.answered', { message: message.id })])
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
      const routed = await Promise.all(batch.map((one) => this.#tryHandOver(one, stuck)))
      const records = routed.filter((one) => one !== null)
      if (records.length === 0) continue
      await this.#ports.append(records)
      this.#release(records.map(({ body }) => body.message))
    }
  }

  /** The next that can be handed on, in the order of arrival; none to an agent whose inbox is full, and none that was refused. */
  #ready(stuck: ReadonlySet<string>): Passing[] {
    const ready: Passing[] = []
    for (const { message } of this.#held) {
      const mustWait = this.#ports.isAnswer(message) || this.#obstacleOf(message) !== null
      const route = mustWait ? null : this.#routeOf(message)
      const isStuck = route === null || stuck.has(targetOf(route)) || stuck.has(message.id)
      if (!isStuck) ready.push({ message, route })
      if (ready.length === batchSize) break
    }
    return ready
  }

  /** Null if it could not be handed over, mostly because an inbox is full: then it is tried again when there is space. */
  async #tryHandOver(passing: Passing, stuck: Set<string>): Promise<Routed | null> {
    const { message, route } = passing
    try {
      if ('room' in route) {
        await this.#ports.post(message, route.room)
        const { project } = splitRoomKey(route.room)
        return this.#record('message.routed', { message: message.id, agent: '', room: route.room }, { project })
      }
      const { id, project } = await this.#ports.deliver(message, route.agent)
      return this.#record('message.routed', { message: message.id, agent: id }, { agent: id, project })
    } catch (cause) {
      const isFull = asReinError(cause).code === 'inbox_full'
      stuck.add(isFull ? targetOf(route) : message.id)
      if (isFull) this.#complain(message, 'inbox_full')
      else this.#ports.onTrouble(cause)
      return null
    }
  }

  /** Withdraws one that waits; false if none of that id does, or if it has arrived by now. */
  async drop(id: string, actor: Actor): Promise<boolean> {
    const before = this.#passing ?? Promise.resolve()
    const dropping = before.then(async () => {
      if (!this.#isWaiting(id)) return false
      await this.#ports.append([this.#record('message.dropped', { message: id }, { actor })])
      this.#release([id])
      return true
    })
    this.#passing = dropping.then(
      () => undefined,
      () => undefined,
    )
    return dropping
  }

  #release(ids: readonly string[]): void {
    const gone = new Set(ids)
    this.#held = this.#held.filter(({ message }) => !gone.has(message.id))
    for (const id of ids) this.#told.delete(id)
  }

  #complain(message: Message, reason: HeldReason): void {
    if (this.#told.get(message.id) === reason) return
    this.#told.set(message.id, reason)
    this.#ports.onHeld(message, reason)
  }

  #isWaiting(id: string): boolean {
    return this.#held.some(({ message }) => message.id === id)
  }

  #routeOf({ channel }: Message): Route | null {
    return this.#ports.channels.routeOf(channel)
  }

  #obstacleOf({ channel }: Message): Obstacle | null {
    return this.#ports.channels.obstacleOf(channel)
  }

  #record<T extends RecordType>(type: T, body: RecordBody<T>, about: Partial<RecordContext> = {}): NewRecord<T> {
    const context = { actor: byRein, agent: null, project: null }
    return newRecord(type, body, { id: this.#ports.newId('rec'), at: this.#ports.now(), ...context, ...about })
  }
}

const agentIn = (route: Route | null): AgentRef | null => (route !== null && 'agent' in route ? route.agent : null)
/** A unique name of the destination of a route. */
const targetOf = (route: Route): string => ('agent' in route ? route.agent.id : route.room)
