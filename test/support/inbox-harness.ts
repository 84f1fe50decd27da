import { onTestFinished } from 'vitest'
import type { Receipt } from '../../src/contract/directive.ts'
import { isDirectiveRecord } from '../../src/contract/receipt-steps.ts'
import type { AnyNewRecord, AnyRecord } from '../../src/contract/record.ts'
import { ConversationGraph } from '../../src/drivers/conversation.ts'
import { Inbox, type InboxLimits, type NewDirective } from '../../src/features/inbox/inbox.ts'
import { directiveId, evolve, type Item, toReceipt } from '../../src/features/inbox/receipt.ts'
import { Sightings } from '../../src/features/inbox/sightings.ts'
import { agentRef, now, person } from './builders.ts'
import type { Transcript } from './transcript.ts'

export interface TestInbox {
  inbox: Inbox
  /** What was appended, in order. */
  records: AnyNewRecord[]
  /** What was told about, in order. */
  steps: string[]
  clock: { now: number }
  /** Appends from now on end so. */
  disk: { failure: Error | null }
  /** Resolves when everything that was appended is in the log. */
  written: () => Promise<unknown>
  /** The items as the log has them. */
  stored: Map<string, Item>
  /** Another inbox over the same log, as after a restart. */
  restarted: () => Inbox
  tell: (text: string, more?: Partial<NewDirective>) => Promise<Item>
  item: (id: string) => Item
  receipt: (id: string) => Receipt
  /** Shows the inbox what the conversation proves. */
  observe: (transcript: Transcript) => void
}

const defaults: InboxLimits = { maxOpen: 100, maxOpenOfAgent: 10, maxTextBytes: 1 << 20, ackDeadlineMs: 600_000 }

export const newDirective = (text: string, more: Partial<NewDirective> = {}): NewDirective => ({
  agent: agentRef,
  from: 'ada',
  sender: person,
  type: 'directive',
  priority: 'normal',
  text,
  expiresInMs: null,
  ...more,
})

/** The real inbox over a log that is only remembered. */
export const startInbox = (
  limits: Partial<InboxLimits> = {},
  onStep: (item: Item) => void = () => undefined,
): TestInbox => {
  const records: AnyNewRecord[] = []
  const steps: string[] = []
  const stored = new Map<string, Item>()
  const clock = { now }
  const disk: TestInbox['disk'] = { failure: null }
  let last: Promise<unknown> = Promise.resolve()
  let ids = 0

  const project = (record: AnyNewRecord): number => {
    const known = records.findIndex(({ id }) => id === record.id)
    if (known >= 0) return known + 1
    const placed: AnyRecord = { ...record, seq: records.push(record) }
    if (!isDirectiveRecord(placed)) return placed.seq
    const item = evolve(stored.get(directiveId(placed)), placed)
    if (item !== undefined) stored.set(item.directive.id, JSON.parse(JSON.stringify(item)))
    return placed.seq
  }
  const log = {
    append: (given: AnyNewRecord[]) => {
      const appended = Promise.resolve().then(() => {
        if (disk.failure !== null) throw disk.failure
        return given.map(project)
      })
      last = Promise.allSettled([last, appended])
      return appended
    },
  }
  const ports = {
    log,
    stored: { load: () => [...stored.values()], find: (id: string) => stored.get(id) },
    journal: { write: () => undefined },
    others: { channels: { mayHear: () => true, incoming: { held: () => [], drop: async () => false } } },
    now: () => clock.now,
    newId: (prefix: string) => `${prefix}_${String(++ids).padStart(4, '0')}`,
    newNonce: () => `nonce${++ids}`,
  }
  const start = (): Inbox => {
    const inbox = new Inbox(ports, { ...defaults, ...limits })
    inbox.listen({
      onStep: (item, { type }) => {
        steps.push(type.replace('directive.', ''))
        onStep(item)
      },
    })
    onTestFinished(() => inbox.stop())
    return inbox
  }
  const inbox = start()
  const item = (id: string): Item => {
    const found = inbox.openItems(agentRef.id).find(({ directive }) => directive.id === id) ?? stored.get(id)
    if (found === undefined) throw new Error(`There is no ${id}.`)
    return found
  }
  return {
    inbox,
    records,
    steps,
    clock,
    disk,
    written: () => last,
    stored,
    restarted: start,
    tell: (text, more) => inbox.accept(newDirective(text, more)),
    item,
    receipt: (id) => toReceipt(item(id)),
    observe: (transcript) => {
      const graph = new ConversationGraph()
      const sightings = new Sightings(inbox)
      for (const entry of transcript.entries) {
        graph.add(entry)
        sightings.onEntry(agentRef, entry)
      }
      inbox.observe(agentRef.id, 'conversation', (one) => sightings.findSighting(one, graph))
    },
  }
}
