import { join } from 'node:path'
import type { Supervisor } from '../agents/supervisor.ts'
import { type Agent, isAlive } from '../contract/agent.ts'
import type { AgentRef } from '../contract/identity.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import { type BusEvent, splitRoomKey, type TeamFile, type Watch, watchesAll } from '../contract/team.ts'
import type { Inbox } from '../features/inbox/inbox.ts'
import { Bus } from '../features/team/bus/bus.ts'
import { findEvent } from '../features/team/bus/store.ts'
import { CheckIns } from '../features/team/checkins.ts'
import { Checkpoints, type DueCheckpoint } from '../features/team/checkpoints.ts'
import { runCommand } from '../features/team/command.ts'
import { emptyTeam, type ReadTeam, TeamFiles } from '../features/team/hubs.ts'
import { MentionDelivery } from '../features/team/mention-delivery.ts'
import { isNotice, Notices, type Unread } from '../features/team/notices.ts'
import { isPausedAt } from '../features/team/rooms/room.ts'
import { Rooms } from '../features/team/rooms/rooms.ts'
import { findPost, noticeUpTo, pendingMentions } from '../features/team/rooms/store.ts'
import { watchesEvent, watchesRoom } from '../features/team/watch.ts'
import { Watches } from '../features/team/watches.ts'
import { Announcer } from './announcer.ts'
import type { ServiceParts } from './services.ts'

interface TeamParts extends ServiceParts {
  inbox: Inbox
  supervisor: Supervisor
  append: (records: AnyNewRecord[]) => Promise<number[]>
  now: () => number
  newId: (prefix: string) => string
  /** Nobody has acknowledged it: a person is to know. */
  tellPerson: (event: BusEvent, members: Agent[]) => void
  mayHear: (agent: string, channel: string) => boolean
}

interface Common extends Pick<TeamParts, 'append' | 'reader' | 'now' | 'newId'> {
  onTrouble: (where: string, cause: unknown) => void
}

export interface TeamServices {
  rooms: Rooms
  bus: Bus
  watches: Watches
  checkIns: CheckIns
  checkpoints: Checkpoints
  notices: Notices
  mentions: MentionDelivery
  announcer: Announcer
  team: Team
}

/** Who is in a team, and what each of them wants to hear. */
export interface Team {
  agents(project: string): Agent[]
  file(project: string): TeamFile
  /** As it is said for a directory, whether anybody works there or not. */
  fileAt(dir: string): ReadTeam
  watchesRoom(agent: Agent, room: string): boolean
  watchers(project: string, room: string): Agent[]
  listeners(project: string, type: string, isAmbient: boolean, publisher: string | null): Agent[]
}

/** Puts together rooms, bus, check-ins and checkpoints. */
export const composeTeam = (parts: TeamParts): TeamServices => {
  const { inbox, append, reader, now, newId, supervisor, settings, journal } = parts
  const onTrouble = (where: string, cause: unknown): void => journal.write('trouble', { where, reason: String(cause) })
  const common: Common = { append, reader, now, newId, onTrouble }
  const files = new TeamFiles((problem) => onTrouble('team', problem.message))
  const file = (project: string): ReadTeam => files.of(homeOf(supervisor, project))
  const watches = new Watches({ ...common, team: file })
  const team = teamOf(supervisor, watches, file, (dir) => files.of(dir))
  const rooms = new Rooms(
    {
      ...common,
      agents: (project) => team.agents(project).map((agent) => ({ ...refOf(agent), isPresent: isAlive(agent.state) })),
      archiveDir: join(parts.paths.state, 'archive'),
      onPosted: (...news) => announcer.onPosted(...news),
    },
    { maxTextBytes: settings['rooms.max_text_bytes'], keep: settings['rooms.keep'] },
  )
  const bus: Bus = new Bus({ ...common, ...busPorts(parts, team, () => notices) }, busLimits(parts))
  const notices = new Notices({
    agent: (id) => running(supervisor, id),
    unread: (agent) => unreadOf(agent, team, rooms, bus),
    newest: (agent) => newestOf(agent, team, rooms, bus),
    toldUpTo: (id) => noticeUpTo(reader, id),
    open: (id) => inbox.openItems(id).find(isNotice),
    accept: (directive) => inbox.accept(directive),
    withdraw: (item) => inbox.cancel(item, { kind: 'daemon' }),
    onTrouble: (cause) => onTrouble('notices', cause),
  })
  const mentions = new MentionDelivery({ inbox, onTrouble: (cause) => onTrouble('mentions', cause) })
  const announcer = new Announcer({
    mentions,
    bus,
    notices,
    ...team,
    mayHear: parts.mayHear,
    onTrouble: (cause) => onTrouble('team', cause),
  })
  const checkIns = checkInsOf(common, settings['team.checkin_minutes'], rooms, team)
  const checkpoints = checkpointsOf(parts, common, bus, team)
  return { rooms, bus, watches, checkIns, checkpoints, notices, mentions, announcer, team }
}

/** Agents are known and the doors are open: what an earlier daemon had written down and not told is told now. */
export const openTeam = (services: TeamServices & Pick<TeamParts, 'reader' | 'supervisor'>): void => {
  const { mentions, reader, supervisor, notices, bus, checkIns, checkpoints } = services
  // Who gets a message itself needs no notice of it.
  void makeUp(reader, mentions).then(() => supervisor.agents.forEach(({ id }) => notices.consider(id)))
  bus.start()
  checkIns.start()
  checkpoints.start()
}

/** One after the other: there may be many, and long ones. */
const makeUp = async (reader: TeamParts['reader'], mentions: MentionDelivery): Promise<void> => {
  for (const { agent, post } of pendingMentions(reader)) {
    const found = findPost(reader, post)
    if (found !== undefined) await mentions.deliver(found.post, agent)
  }
}

const teamOf = (supervisor: Supervisor, watches: Watches, file: Team['file'], fileAt: Team['fileAt']): Team => {
  const agents = (project: string): Agent[] => supervisor.agents.filter((agent) => agent.project === project)
  /** Most watch what they began with, which names no hub: that is decided once for all of them, without the file. */
  const among = (project: string, wants: (watch: Watch, team: TeamFile) => boolean): Agent[] => {
    const byDefault = wants(watchesAll, emptyTeam)
    let team: TeamFile | undefined
    const isWanted = (watch: Watch): boolean =>
      watch === watchesAll ? byDefault : wants(watch, (team ??= file(project)))
    return agents(project).filter((agent) => isThere(agent) && isWanted(watches.get(agent.id)))
  }
  return {
    agents,
    file,
    fileAt,
    watchesRoom: ({ id, project }, room) => {
      const watch = watches.get(id)
      return watch === watchesAll || watchesRoom(watch, room, file(project))
    },
    watchers: (project, room) => among(project, (watch, team) => watchesRoom(watch, room, team)),
    listeners: (project, type, isAmbient, publisher) =>
      among(project, (watch, team) => watchesEvent(watch, type, isAmbient, team)).filter(({ id }) => id !== publisher),
  }
}

/** It runs, or is about to again. */
const isThere = ({ state, until }: Agent): boolean => isAlive(state) || (state === 'crashed' && until !== null)

/** Where the file of a team is looked for: where the first of its agents works. */
const homeOf = ({ agents }: Supervisor, project: string): string => {
  const own = agents.filter((agent) => agent.project === project)
  return own.toSorted((one, other) => one.createdAt - other.createdAt)[0]?.cwd ?? ''
}

const running = (supervisor: Supervisor, id: string): Agent | null => {
  const agent = supervisor.get(id)
  return agent !== null && isAlive(agent.state) ? agent : null
}

const refOf = ({ id, project, handle }: Agent): AgentRef => ({ id, project, handle })

const unreadOf = (agent: Agent, team: Team, rooms: Rooms, bus: Bus): Unread => {
  const { id, project } = agent
  const mentions = rooms.unreadMentions(id, project)
  const unread = [...rooms.unread(id, project)].map(([key, count]) => ({
    name: splitRoomKey(key).name,
    unread: count,
    mentions: mentions.get(key) ?? 0,
  }))
  return {
    rooms: unread.filter(({ name }) => team.watchesRoom(agent, name)),
    events: bus.open(project, id, { limit: 0 }).counts,
  }
}

const newestOf = (agent: Agent, team: Team, rooms: Rooms, bus: Bus): number => {
  const unread = [...rooms.newestUnread(agent.id, agent.project)]
  const watched = unread.filter(([key]) => team.watchesRoom(agent, splitRoomKey(key).name)).map(([, seq]) => seq)
  return Math.max(0, bus.newestPendingSeq(agent.id), ...watched)
}

const busPorts = ({ reader, supervisor, tellPerson }: TeamParts, team: Team, notices: () => Notices) => ({
  recipients: (...given: Parameters<Team['listeners']>) => team.listeners(...given).map(refOf),
  agent: (id: string) => {
    const agent = supervisor.get(id)
    return agent === null ? null : refOf(agent)
  },
  onPublished: (event: BusEvent, members: string[], seq: number) => notices().onPublished(event, members, seq),
  onRedelivered: (event: BusEvent, members: string[]) =>
    notices().onPublished(event, members, findEvent(reader, event.id)?.seq ?? 0),
  onOverdue: (event: BusEvent, level: 1 | 2, members: string[]) => {
    const seq = findEvent(reader, event.id)?.seq ?? 0
    if (level === 1) return notices().onOverdue(event, members, seq)
    tellPerson(
      event,
      members.map((id) => supervisor.get(id)).filter((agent) => agent !== null),
    )
  },
})

const checkInsOf = (common: Common, minutes: number, rooms: Rooms, team: Team): CheckIns =>
  new CheckIns(
    {
      ...common,
      rooms: () => rooms.all(null),
      isPaused: ({ project, name }) => isPausedAt(rooms.get(project, name), common.now()),
      watchers: ({ project, name }) => team.watchers(project, name),
      onAsked: ({ id }) => void rooms.announce(id),
    },
    minutes * 60_000,
  )

const checkpointsOf = ({ settings }: TeamParts, common: Common, bus: Bus, team: Team): Checkpoints =>
  new Checkpoints(
    {
      ...common,
      eventRecord: (due) =>
        bus.record(checkpointEvent(due, handlerOf(team, due.project, settings['team.checkpoint_agent']))),
      event: (id) => bus.find(id)?.event ?? null,
      runCommand,
      onDue: (id) => bus.announce(id),
    },
    {
      every: settings['team.checkpoint_decisions'],
      everyMs: settings['team.checkpoint_minutes'] * 60_000,
      command: settings['team.checkpoint_command'],
    },
  )

/** The agent that looks at the whole, if one is named and there. */
const handlerOf = (team: Team, project: string, handle: string | null): AgentRef | null => {
  const agent = team.agents(project).find((one) => one.handle === handle && isAlive(one.state))
  return agent === undefined ? null : refOf(agent)
}

const checkpointEvent = ({ event, project, bucket, decisions }: DueCheckpoint, to: AgentRef | null) => ({
  id: event,
  project,
  type: 'checkpoint',
  payload: JSON.stringify({ decisions, checkpoint: bucket, look: 'rein decisions' }),
  to,
  once: false,
  from: { kind: 'daemon' as const },
})

const busLimits = ({ settings }: TeamParts) => ({
  maxPayloadBytes: settings['bus.max_payload_bytes'],
  dedupWindowMs: settings['bus.dedup_window_s'] * 1000,
  retentionBytes: settings['bus.retention_bytes'],
  leaseMs: settings['bus.lease_s'] * 1000,
  criticalMs: settings['bus.critical_ack_s'] * 1000,
  highMs: settings['bus.high_ack_s'] * 1000,
})
