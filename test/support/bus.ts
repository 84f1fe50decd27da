import { onTestFinished } from 'vitest'
import type { AgentRef } from '../../src/contract/identity.ts'
import type { AnyNewRecord } from '../../src/contract/record.ts'
import type { BusEvent } from '../../src/contract/team.ts'
import { openDatabase } from '../../src/base/store/sqlite.ts'
import { Bus, type BusLimits, type BusPorts } from '../../src/features/team/bus/bus.ts'
import type { EventItem } from '../../src/features/team/bus/event.ts'
import type { NewEvent } from '../../src/features/team/bus/new-event.ts'
import { now, person } from './builders.ts'
import { startLog } from './in-process-log.ts'

export const project = 'shop-1a2b3c'
export const busTables = ['bus_event', 'bus_usage', 'bus_pending', 'bus_count']

export const member = (name: string, of = project): AgentRef => ({ id: `agt_${name}`, project: of, handle: name })

export const busLimits: BusLimits = {
  maxPayloadBytes: 1_000,
  dedupWindowMs: 300_000,
  retentionBytes: 1_000_000,
  leaseMs: 60_000,
  criticalMs: 30_000,
  highMs: 120_000,
}

export const anEvent = (given: Partial<NewEvent> = {}): NewEvent => ({
  project,
  type: 'task-complete',
  payload: 'done',
  to: null,
  once: false,
  from: person,
  ...given,
})

/** What the bus says by itself, in order. */
export type BusNews =
  | { kind: 'published'; id: string; members: string[]; seq: number }
  | { kind: 'redelivered'; id: string; members: string[] }
  | { kind: 'overdue'; id: string; level: number; members: string[] }
  | { kind: 'trouble'; cause: unknown }

/** A bus on the real log, with agents a, b and c that watch everything. */
export const startBus = (given: Partial<BusLimits> = {}, ports: Partial<BusPorts> = {}) => {
  const { log, db, path, writer } = startLog()
  db.exec('PRAGMA synchronous = OFF')
  const reader = openDatabase(path, { readOnly: true })
  onTestFinished(() => reader.close())
  const clock = { now }
  const team = [member('a'), member('b'), member('c')]
  const news: BusNews[] = []
  const waiting: (() => void)[] = []
  const add = (one: BusNews): void => {
    news.push(one)
    for (const wake of waiting.splice(0)) wake()
  }
  let ids = 0
  const all: BusPorts = {
    append: (records: AnyNewRecord[]) => log.append(records),
    reader,
    recipients: (of) => team.map((agent) => ({ ...agent, project: of })),
    agent: (id) => team.find((agent) => agent.id === id) ?? null,
    now: () => clock.now,
    newId: (prefix) => `${prefix}_${++ids}`,
    onPublished: ({ id }: BusEvent, members, seq) => add({ kind: 'published', id, members, seq }),
    onRedelivered: ({ id }, members) => add({ kind: 'redelivered', id, members }),
    onOverdue: ({ id }, level, members) => add({ kind: 'overdue', id, level, members }),
    onTrouble: (_, cause) => add({ kind: 'trouble', cause }),
    ...ports,
  }
  const limits = { ...busLimits, ...given }
  const again = (): Bus => {
    const bus = new Bus(all, limits)
    onTestFinished(() => bus.stop())
    return bus
  }
  /** Resolves when the bus has said one more thing. */
  const more = (): Promise<void> => new Promise((resolve) => void waiting.push(resolve))
  return { bus: again(), again, more, clock, team, news, log, db, reader, writer, ports: all }
}

export const pendingCount = (bus: Bus, who: string): number =>
  Object.values(bus.open(project, who, { limit: 0 }).counts).reduce((sum, count) => sum + count, 0)

export const mostPressing = (bus: Bus, who: string): EventItem | null =>
  bus.open(project, who, { limit: 1 }).events[0] ?? null
