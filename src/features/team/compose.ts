import { join } from 'node:path'
import { type Agent, isAlive } from '../../contract/agent.ts'
import { type AgentRef, byRein } from '../../contract/identity.ts'
import { type BusEvent, splitRoomKey } from '../../contract/team.ts'
import { Bus } from './bus/bus.ts'
import { findEvent } from './bus/store.ts'
import { CheckIns } from './checkins.ts'
import { Checkpoints } from './checkpoints.ts'
import { runCommand } from './command.ts'
import { type ReadTeam, TeamFiles } from './hubs.ts'
import { MentionDelivery } from './mention-delivery.ts'
import { isNotice, Notices, type Unread } from './notices.ts'
import { isPausedAt } from './rooms/room.ts'
import { Rooms } from './rooms/rooms.ts'
import { noticeUpTo } from './rooms/store.ts'
import { Watches } from './watches.ts'
import { Announcer } from './announcer.ts'

import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import { homeOf, type Team, teamOf } from './members.ts'
import type { TeamNeeds, TeamParts } from './parts.ts'

interface Common extends Pick<Base, 'append' | 'reader' | 'now' | 'newId'> {
  onTrouble: (where: string, cause: unknown) => void
}

/** Puts together rooms, bus, check-ins and checkpoints. */
export const compose = (base: Base, agents: Agents, others: TeamNeeds): TeamParts => {
  const { append, reader, now, newId, settings } = base
  const { supervisor } = agents
  const onTrouble = (where: string, cause: unknown): void => base.troubleIn(where)(cause)
  const common: Common = { append, reader, now, newId, onTrouble }
  const files = new TeamFiles((problem) => onTrouble('team', problem.message))
  const file = (project: string): ReadTeam => files.of(homeOf(supervisor, project))
  const watches = new Watches({ ...common, team: file })
  const team = teamOf(supervisor, watches, file, (dir) => files.of(dir))
  const rooms = new Rooms(
    {
      ...common,
      agents: (project) => team.agents(project).map((agent) => ({ ...refOf(agent), isPresent: isAlive(agent.state) })),
      archiveDir: join(base.paths.state, 'archive'),
      onPosted: (...news) => announcer.onPosted(...news),
    },
    { maxTextBytes: settings['rooms.max_text_bytes'], keep: settings['rooms.keep'] },
  )
  const bus: Bus = new Bus({ ...common, ...busPorts(base, agents, others, team, () => notices) }, busLimits(base))
  const notices = new Notices({
    agent: (id) => {
      const agent = supervisor.get(id)
      return agent !== null && isAlive(agent.state) ? agent : null
    },
    unread: (agent) => unreadOf(agent, team, rooms, bus),
    newest: (agent) => {
      const unread = [...rooms.newestUnread(agent.id, agent.project)]
      const watched = unread.filter(([key]) => team.watchesRoom(agent, splitRoomKey(key).name)).map(([, seq]) => seq)
      return Math.max(0, bus.newestPendingSeq(agent.id), ...watched)
    },
    toldUpTo: (id) => noticeUpTo(reader, id),
    open: (id) => others.inbox.inbox.openItems(id).find(isNotice),
    accept: (directive) => others.inbox.inbox.accept(directive),
    withdraw: (item) => others.inbox.inbox.cancel(item, byRein),
    onTrouble: (cause) => onTrouble('notices', cause),
  })
  const mentions = new MentionDelivery({
    inbox: {
      accept: (directive) => others.inbox.inbox.accept(directive),
      openItems: (agent) => others.inbox.inbox.openItems(agent),
    },
    onTrouble: (cause) => onTrouble('mentions', cause),
  })
  const announcer = new Announcer({
    mentions,
    bus,
    notices,
    ...team,
    mayHear: (...asked) => others.channels.mayHear(...asked),
    onTrouble: (cause) => onTrouble('team', cause),
  })
  const checkIns = checkInsOf(common, settings['team.checkin_minutes'], rooms, team)
  const checkpoints = checkpointsOf(base, common, bus, team)
  return {
    ...base,
    ...agents,
    rooms,
    bus,
    watches,
    checkIns,
    checkpoints,
    notices,
    mentions,
    announcer,
    team,
    others,
  }
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

const busPorts = ({ reader }: Base, { supervisor }: Agents, others: TeamNeeds, team: Team, notices: () => Notices) => ({
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
    others.channels.tellOverdue(
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

const checkpointsOf = ({ settings }: Base, common: Common, bus: Bus, team: Team): Checkpoints =>
  new Checkpoints(
    {
      ...common,
      eventRecord: (due) =>
        bus.record({
          id: due.event,
          project: due.project,
          type: 'checkpoint',
          payload: JSON.stringify({ decisions: due.decisions, checkpoint: due.bucket, look: 'rein decision list' }),
          to: handlerOf(team, due.project, settings['team.checkpoint_agent']),
          once: false,
          from: byRein,
        }),
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

const busLimits = ({ settings }: Base) => ({
  maxPayloadBytes: settings['bus.max_payload_bytes'],
  dedupWindowMs: settings['bus.dedup_window_s'] * 1000,
  retentionBytes: settings['bus.retention_bytes'],
  leaseMs: settings['bus.lease_s'] * 1000,
  criticalMs: settings['bus.critical_ack_s'] * 1000,
  highMs: settings['bus.high_ack_s'] * 1000,
})
