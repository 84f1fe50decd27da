import { EventEmitter } from 'node:events'
import { v7 as uuid } from 'uuid'
import type { CadenceSettings } from '../agents/cadence.ts'
import { briefResponder } from '../features/channels/brief.ts'
import type { Supervisor } from '../agents/supervisor.ts'
import { channelOf, type Origin, type ReceiptState } from '../contract/directive.ts'
import type { Responder } from '../contract/hooks.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import { Inbox, type InboxLimits } from '../features/inbox/inbox.ts'
import { inboxResponder, type StopCounter } from '../features/inbox/responder.ts'
import { urgentResponder } from '../features/inbox/urgent.ts'
import { isClosed, type Item } from '../features/inbox/receipt.ts'
import { findItem, openItems } from '../features/inbox/store.ts'
import type { Log } from '../base/log/log.ts'
import type { CursorMove } from '../base/log/writer.ts'
import { redactDeep } from '../base/redact/redact.ts'
import { isNotice } from '../features/team/notices.ts'
import { randomBytes } from '../base/util/random.ts'
import type { ContextWatch } from '../agents/context-watch.ts'
import { Delivery } from './delivery.ts'
import { tellLoss } from '../base/tell-loss.ts'
import { sayTo, withdraw } from '../features/inbox/own-words.ts'
import type { Agents } from '../agents/agents.ts'
import type { Base } from '../base/base.ts'
import { type Apis, type Composed, composeFeatures } from './features.ts'
import { composeTasks, type TaskServices } from './tasks.ts'
import { composeTeam, type TeamServices } from './team.ts'
import { type ChannelServices, composeChannels, knownChannels } from './channels.ts'
import type { Environments } from '../agents/environments.ts'
import { refresh } from './handlers/deployment.ts'
import { Origins } from './origin.ts'
import { tellOverdue, tellPeople } from './people.ts'
import { journalStep } from '../agents/journal-entries.ts'
import type { Settings } from '../base/config/settings.ts'
import type { Upkeep } from './upkeep.ts'

export interface ServiceParts extends Base {
  environment: Environments
  /** What was found to be damaged in the database since this daemon began, in sentences. */
  damage: string[]
  upkeep: Upkeep
}

export interface Services extends ServiceParts, Agents, ChannelServices, TeamServices, TaskServices {
  inbox: Inbox
  delivery: Delivery
  rules: Apis['rules']
  apis: Apis
  leases: Apis['leases']
  sessions: Apis['sessions']
  features: Composed
  origins: Origins
  /** Emits a directive's id whenever something became of it. */
  steps: EventEmitter
  since: number
}

/** States that only an agent which takes things in brings about. */
const progress: readonly ReceiptState[] = ['placed', 'seen', 'acked']

const now = (): number => Date.now()
const newId = (prefix: string): string => `${prefix}_${uuid({ random: randomBytes(16) })}`

/** Puts the parts together: the only place that knows them all. */
export const compose = (
  given: Omit<ServiceParts, 'environment' | 'append' | 'troubleIn' | 'forgetCopies' | 'now' | 'newId'>,
): Services => {
  const { log, journal } = given
  const base = {
    ...given,
    append: appendClean(log),
    forgetCopies: () => given.upkeep.forget(),
    troubleIn: (where: string) => (cause: unknown) => journal.write('trouble', { where, reason: String(cause) }),
    now,
    newId,
  }
  const steps = new EventEmitter().setMaxListeners(0)
  let services = {} as Omit<Services, 'features'>
  const features = composeFeatures(base, {
    inbox: {
      get inbox() {
        return services.inbox
      },
      say: (...said) => sayTo(services.inbox, ...said),
      withdraw: (...said) => withdraw(services.inbox, ...said),
    },
    channels: { tellPeople: (...news) => tellPeople(services, journal, ...news) },
    team: {
      firstRoom: (agent) => {
        const watched = services.rooms.all(agent.project).filter(({ name }) => services.team.watchesRoom(agent, name))
        return watched.toSorted((one, other) => one.createdAt - other.createdAt)[0]?.name ?? null
      },
    },
    tasks: {
      get handovers() {
        return services.handovers
      },
    },
    deploy: { refresh: () => refresh(base) },
    compose: (agents, apis) => {
      const rest = composeRest(base, steps, agents, apis)
      services = rest.services
      return rest
    },
  })
  return Object.assign(services, { features })
}

const composeRest = (base: Omit<ServiceParts, 'environment'>, steps: EventEmitter, agents: Agents, apis: Apis) => {
  const { journal, settings } = base
  const parts = { ...base, environment: agents.environment }
  const { supervisor, healing, contexts } = agents
  let delivery: Delivery
  const inbox = inboxOf(parts, steps, (item) => {
    const { id } = item.directive.agent
    if (item.state === 'queued') delivery.consider(id)
    if (progress.includes(item.state)) delivery.onProgress(id)
    if (isClosed(item)) void channels.incoming.pass()
    if (isClosed(item) && isNotice(item)) team.notices.consider(id)
  })
  const common = { ...parts, ...agents, inbox }
  const team = composeTeam({
    ...common,
    tellPerson: (...news) => tellOverdue(channels, journal, ...news),
    mayHear: (id, channel) => channels.channels.mayHear(id, channel, undefined),
  })
  const channels: ChannelServices = composeChannels({ ...common, rooms: team.rooms })
  const tasks = composeTasks({
    ...common,
    ...team,
    isMoving: (id) => apis.sessions.isMoving(id),
    tellPeople: (...news) => tellPeople(channels, journal, ...news),
  })
  const mayHear = (id: string, origin: Origin, mode: string | undefined): boolean =>
    channels.channels.mayHear(id, channelOf(origin), mode)
  delivery = deliveryOf(common, { healing, contexts, watches: team.watches, mayHear })
  const watchers = [delivery, channels.questions, channels.loneAgents, team.announcer, tasks.losses]
  const responders = [...respondersOf(inbox, { ...agents.hooks, mayHear }, channels, supervisor, settings)]
  const services = {
    ...common,
    ...channels,
    ...team,
    ...tasks,
    leases: apis.leases,
    sessions: apis.sessions,
    delivery,
    apis,
    rules: apis.rules,
    origins: new Origins(() => supervisor.agents),
    steps,
    since: now(),
  }
  return { services, watchers, responders }
}

type DeliveryParts = ConstructorParameters<typeof Delivery>[0]

/** When and how agents get to know what waits for them. */
const deliveryOf = (
  { inbox, supervisor, journal, settings }: Pick<DeliveryParts, 'inbox' | 'supervisor' | 'journal'> & ServiceParts,
  parts: Pick<DeliveryParts, 'healing' | 'mayHear'> & { contexts: ContextWatch; watches: TeamServices['watches'] },
): Delivery =>
  new Delivery({
    inbox,
    supervisor,
    journal,
    healing: parts.healing,
    mayHear: parts.mayHear,
    fullness: (id) => parts.contexts.fullness(id),
    pollMs: (id) => inMs(parts.watches.get(id).intervalS),
    now,
    cadence: cadenceOf(settings),
  })

/** `steps` emits a directive's id whenever something became of it. */
const inboxOf = (
  { log, reader, journal, settings }: ServiceParts,
  steps: EventEmitter,
  onStep: (item: Item) => void,
): Inbox =>
  new Inbox(
    {
      append: async (records) => {
        const seqs = await log.append(records).catch(tellLoss(journal, 'inbox'))
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
        onStep(item)
      },
    },
    inboxLimits(settings),
  )

/** All who answer hooks. */
const respondersOf = (
  inbox: Inbox,
  agents: StopCounter,
  channels: ChannelServices,
  supervisor: Supervisor,
  settings: Settings,
): Responder[] => [
  urgentResponder(inbox, agents),
  inboxResponder(inbox, agents, settings['inbox.stop_blocks']),
  briefResponder(
    (id) => knownChannels(channels, id),
    (id) => supervisor.capabilities(id)?.onStart !== false,
  ),
]

const inboxLimits = (settings: Settings): InboxLimits => ({
  maxOpen: settings['inbox.limit'],
  maxOpenOfAgent: settings['inbox.agent_limit'],
  maxTextBytes: settings['inbox.max_text_bytes'],
  ackDeadlineMs: settings['inbox.ack_deadline_s'] * 1000,
})

/** How agents are notified, in milliseconds. */
const cadenceOf = (settings: Settings): CadenceSettings => ({
  isEnabled: settings['notify.enabled'],
  quietMs: settings['inbox.interrupt_quiet_s'] * 1000,
  gatherMs: settings['notify.check_s'] * 1000,
  cooldownMs: settings['notify.cooldown_s'] * 1000,
  graceMs: settings['notify.startup_grace_s'] * 1000,
  maxWaitMs: settings['notify.max_wait_s'] * 1000,
  pollMs: settings['notify.safety_poll_s'] * 1000,
})

const inMs = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000)

/** What had its secrets taken out when it was accepted, or never had any; a nonce, a hash or an exact text must stay as it is. */
const cleaned: readonly string[] = [
  'directives',
  'messages',
  'chats',
  'events',
  'leases',
  'decisions',
  'sessions',
  'commands',
  'advices',
  'projects',
]

const appendClean =
  (log: Log) =>
  (records: AnyNewRecord[], cursors: CursorMove[] = []): Promise<number[]> =>
    log.append(records.map(withoutSecrets), cursors)

const withoutSecrets = (record: AnyNewRecord): AnyNewRecord =>
  cleaned.includes(record.topic) ? record : ({ ...record, body: redactDeep(record.body).value } as AnyNewRecord)
