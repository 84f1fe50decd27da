import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import { allAgents } from '../agents/store.ts'
import { Supervisor } from '../agents/supervisor.ts'
import type { ReceiptState } from '../contract/directive.ts'
import type { Responder } from '../contract/hooks.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import type { Capability } from '../drivers/contract.ts'
import { findDriver } from '../drivers/registry.ts'
import type { OfferPoint } from '../inbox/decide.ts'
import { Inbox } from '../inbox/inbox.ts'
import { inboxResponder } from '../inbox/responder.ts'
import { urgentResponder } from '../inbox/urgent.ts'
import { findItem, openItems } from '../inbox/store.ts'
import type { Log } from '../log/log.ts'
import type { CursorMove } from '../log/writer.ts'
import { redactDeep } from '../redact/redact.ts'
import type { Database } from '../store/sqlite.ts'
import type { ReinPaths } from '../util/paths.ts'
import { randomBytes } from '../util/random.ts'
import { Delivery } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'
import { Canaries } from './canary.ts'
import { createHosts } from './hosts.ts'
import { OutsideAgents } from './outside.ts'
import type { Journal } from './journal.ts'
import { journalAgent, journalBroadcast, journalStep } from './journal-entries.ts'
import type { DaemonSettings } from './settings.ts'

export interface ServiceParts {
  log: Log
  reader: Database
  journal: Journal
  paths: ReinPaths
  endpoint: Endpoint
  settings: DaemonSettings
}

export interface Services extends ServiceParts {
  inbox: Inbox
  supervisor: Supervisor
  delivery: Delivery
  responders: Responder[]
  hosts: ReturnType<typeof createHosts>
  outside: OutsideAgents
  canaries: Canaries
  /** Emits a directive's id whenever something became of it. */
  steps: EventEmitter
  since: number
  now: () => number
  newId: (prefix: string) => string
}

/** States that only an agent which takes things in brings about. */
const progress: readonly ReceiptState[] = ['placed', 'seen', 'acked']

const now = (): number => Date.now()
const newId = (prefix: string): string => `${prefix}_${uuid({ random: randomBytes(16) })}`

/** What a CLI has to be able to do to take something in there. */
const needed = { prompt: 'onPrompt', batch: 'afterTool', stop: 'onStop' } as const satisfies Record<
  OfferPoint,
  Capability
>

/** How long a hook may wait for a transcript that is just being written. */
export const settleMs = 80

/** Puts the parts together: the only place that knows them all. */
export const compose = (parts: ServiceParts): Services => {
  const { log, reader, journal, paths, settings } = parts
  const steps = new EventEmitter().setMaxListeners(0)
  const append = (records: AnyNewRecord[], cursors: CursorMove[] = []) =>
    log.append(records.map(withoutSecrets), cursors)
  const hosts = createHosts(paths)
  let delivery: Delivery

  const inbox = new Inbox(
    {
      append: async (records) => {
        const seqs = await log.append(records).catch((cause) => lost(journal, 'inbox', cause))
        // What has ended is no longer remembered: whoever follows it finds it only now.
        for (const { cause } of records) steps.emit(cause ?? '')
        return seqs
      },
      load: () => openItems(reader),
      find: (id) => findItem(reader, id),
      now,
      newId,
      newNonce: () => randomBytes(8).toString('hex'),
      onStep: (item, record) => {
        journalStep(journal, item, record)
        steps.emit(item.directive.id, item)
        if (item.state === 'queued') delivery.consider(item.directive.agent.id)
        if (progress.includes(item.state)) delivery.onProgress(item.directive.agent.id)
      },
    },
    {
      maxOpen: settings['inbox.limit'],
      maxTextBytes: settings['inbox.max_text_bytes'],
      ackDeadlineMs: settings['inbox.ack_deadline_s'] * 1000,
    },
  )
  const supervisor = new Supervisor(
    {
      append: async (records, cursors) => {
        await append(records, cursors).catch((cause) => lost(journal, 'agents', cause))
        journalBroadcast(journal, records, (id) => supervisor.get(id)?.handle ?? '')
      },
      cursor: (topic) => log.cursor('turns', topic),
      now,
      newId,
      driver: findDriver,
      host: hosts.host,
      agentDir: (id) => join(paths.state, 'agents', id),
      onTrouble: (where, cause) => journal.write('trouble', { where, reason: String(cause) }),
      onEntry: (agent, entry) => delivery.onEntry(agent, entry),
      onRead: (agent) => delivery.onRead(agent),
      onNewContext: (agent) => delivery.onNewContext(agent),
      onChange: (agent, before, record) => {
        journalAgent(journal, agent, before, record)
        delivery.consider(agent.id)
      },
    },
    allAgents(reader),
  )
  delivery = new Delivery({ inbox, supervisor, journal, now, quietMs: settings['inbox.interrupt_quiet_s'] * 1000 })
  const stops = hookPorts(supervisor)
  const responders = [urgentResponder(inbox, stops), inboxResponder(inbox, stops, settings['inbox.stop_blocks'])]
  const outside = new OutsideAgents({ supervisor, journal, now })
  return {
    ...parts,
    inbox,
    supervisor,
    delivery,
    responders,
    hosts,
    outside,
    canaries: new Canaries(),
    steps,
    since: now(),
    now,
    newId,
  }
}

/** What the responders ask about the agent that calls. */
const hookPorts = (supervisor: Supervisor) => ({
  stopBlocks: (id: string) => supervisor.stopBlocks(id),
  noteStopBlock: (id: string) => supervisor.noteStopBlock(id),
  clearStopBlocks: (id: string) => supervisor.clearStopBlocks(id),
  takesAt: (id: string, point: OfferPoint) => supervisor.capabilities(id)?.[needed[point]] ?? true,
  writesContext: (id: string) => supervisor.capabilities(id)?.writesContext ?? true,
  catchUp: (id: string) => supervisor.catchUp(id, settleMs),
})

/** Told, then passed on: whoever waits must not be told that it was written. */
const lost = (journal: Journal, where: string, cause: unknown): never => {
  journal.write('trouble', { where, reason: cause instanceof Error ? cause.message : String(cause) })
  throw cause
}

/** Directives had their secrets taken out when they were accepted; the nonce and hash must stay as they are. */
const withoutSecrets = (record: AnyNewRecord): AnyNewRecord =>
  record.topic === 'directives' ? record : ({ ...record, body: redactDeep(record.body).value } as AnyNewRecord)
