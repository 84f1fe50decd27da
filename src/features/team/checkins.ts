import { createHash } from 'node:crypto'
import { byRein } from '../../contract/identity.ts'
import type { AgentState } from '../../contract/agent.ts'
import { type AnyNewRecord, newRecord } from '../../contract/record.ts'
import type { Post } from '../../contract/team.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { after } from '../../base/util/timer.ts'
import { nextDue, slotAt } from './slots.ts'
import { type CheckIn, lastCheckIn, type Voice, voicesIn } from './store.ts'

export interface CheckInRoom {
  project: string
  name: string
  key: string
  createdAt: number
}

/** An agent that watches a room. */
export interface Watcher {
  id: string
  handle: string
  state: AgentState
  isPaused: boolean
}

export interface CheckInPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  reader: Database
  rooms(): CheckInRoom[]
  /** Whether a person has paused check-ins there. */
  isPaused(room: CheckInRoom): boolean
  watchers(room: CheckInRoom): Watcher[]
  now(): number
  newId(prefix: string): string
  /** This daemon has recorded the post: the agents that it names are to be told. */
  onAsked(post: Post, seq: number): void
  onTrouble(where: string, cause: unknown): void
}

/** The facts about a room that decide who is asked there. */
export interface Situation {
  room: CheckInRoom
  intervalMs: number
  /** When this daemon first used this interval. */
  seenSince: number
  last: CheckIn | undefined
  isPaused: boolean
  watchers: readonly Watcher[]
  voices: ReadonlyMap<string, Voice>
}

/** After so many questions without a new post, an agent is left alone until it posts again. */
const patience = 2

/** Rooms that are due this close together are looked at together. */
const shortestWaitMs = 10_000

const question =
  'Check-in: what are you working on, what is blocked, what could be done next? Answer in this room; if you have nothing to do, look for useful work.'

/** The agents to ask in the slot that is due now; `null` if there are none. */
export const decideCheckIn = (situation: Situation, now: number): { slot: number; asked: Watcher[] } | null => {
  const { room, intervalMs, isPaused, watchers, voices } = situation
  const { seenSince, last } = situation
  const slot = slotAt(room, intervalMs, now)
  if (slot === null || isPaused) return null
  // Not at once where the room was never asked at this interval.
  const wasSeen = last !== undefined && (last.slot - room.createdAt) % intervalMs === 0
  if (!wasSeen && now < seenSince + intervalMs) return null
  // Not twice in a slot, and not soon after a late one.
  if (last !== undefined && (last.slot >= slot.slot || now - last.at < intervalMs / 3)) return null
  const asked = watchers.filter((watcher) => {
    const { postedAt, asked: times } = voices.get(watcher.id) ?? { postedAt: 0, asked: 0 }
    return watcher.state === 'idle' && !watcher.isPaused && postedAt < slot.previousAt && times < patience
  })
  return asked.length === 0 ? null : { slot: slot.slot, asked }
}

/** Asks silent agents what they are working on: at most once in each time slot of a room, however many daemons try. */
export class CheckIns {
  readonly #ports: CheckInPorts
  readonly #intervalMs: number
  readonly #seenSince: number
  /** When each room is to be looked at next. */
  #next: ReadonlyMap<string, number> = new Map()
  #isStarted = false
  #cancel: () => void = () => undefined

  /** Every so many milliseconds; 0 is never. */
  constructor(ports: CheckInPorts, intervalMs: number) {
    this.#ports = ports
    this.#intervalMs = intervalMs
    this.#seenSince = ports.now()
  }

  start(): void {
    if (this.#intervalMs === 0) return
    this.#isStarted = true
    void this.#ring()
  }

  stop(): void {
    this.#isStarted = false
    this.#cancel()
  }

  /** Looks at all rooms whose time has come. */
  async look(): Promise<void> {
    const now = this.#ports.now()
    const rooms = this.#ports.rooms()
    const due = rooms.filter(({ key }) => (this.#next.get(key) ?? 0) <= now)
    const next = new Map(due.map((room) => [room.key, nextDue(room, this.#intervalMs, now)]))
    this.#next = new Map(rooms.map(({ key }) => [key, next.get(key) ?? this.#next.get(key) ?? 0]))
    await Promise.all(due.map((room) => this.#consider(room, now).catch(this.#trouble)))
  }

  /** One timer for all rooms; a new room is not due before it rings. */
  async #ring(): Promise<void> {
    await this.look().catch(this.#trouble)
    if (!this.#isStarted) return
    const now = this.#ports.now()
    const next = [...this.#next.values()].reduce((one, other) => Math.min(one, other), now + this.#intervalMs)
    const shortest = Math.min(shortestWaitMs, this.#intervalMs)
    this.#cancel = after(Math.max(next - now, shortest), () => void this.#ring())
  }

  async #consider(room: CheckInRoom, now: number): Promise<void> {
    const { reader } = this.#ports
    const decision = decideCheckIn(
      {
        room,
        intervalMs: this.#intervalMs,
        seenSince: this.#seenSince,
        last: lastCheckIn(reader, room.key),
        isPaused: this.#ports.isPaused(room),
        watchers: this.#ports.watchers(room),
        voices: voicesIn(reader, room.key),
      },
      now,
    )
    if (decision === null) return
    // The ids of both records follow from room and slot, so a second daemon writes nothing.
    const cause = this.#ports.newId('look')
    const { key, project } = room
    const post: Post = {
      id: `post_checkin_${createHash('sha256').update(key).digest('hex').slice(0, 16)}_${decision.slot}`,
      room: key,
      author: byRein,
      text: `${decision.asked.map(({ handle }) => `@${handle}`).join(' ')} ${question}`,
      at: now,
      mentions: decision.asked.map(({ id, handle }) => ({ agent: { id, project, handle }, kind: 'plain' })),
      kind: 'checkin',
    }
    const context = { at: now, actor: post.author, agent: null, project, cause }
    const body = { room: key, slot: decision.slot, asked: decision.asked.map(({ id }) => id) }
    const [, seq = 0] = await this.#ports.append([
      newRecord('checkin.asked', body, { ...context, id: `checkin_${key}_${decision.slot}` }),
      newRecord('chat.posted', { post }, { ...context, id: post.id }),
    ])
    if (lastCheckIn(this.#ports.reader, key)?.cause === cause) this.#ports.onAsked(post, seq)
  }

  readonly #trouble = (cause: unknown): void => this.#ports.onTrouble('check-in', cause)
}
