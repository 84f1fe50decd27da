import type { Agent } from '../../contract/agent.ts'
import type { Bus } from './bus/bus.ts'
import type { Rooms } from './rooms/rooms.ts'
import { isClosed } from '../inbox/receipt.ts'
import { isNotice } from './notices.ts'
import { findPost, pendingMentions } from './rooms/store.ts'

import type { Handlers } from '../../contract/routes/route.ts'
import type { teamRoutes } from '../../contract/routes/team.ts'
import type { Feature } from '../feature.ts'
import { agentOnly } from '../../mcp/tool.ts'
import * as bus from './bus-handlers.ts'
import { type TeamAnswers, teamTools } from './mcp-tools.ts'
import type { Team } from './members.ts'
import type { TeamNeeds, TeamParts } from './parts.ts'
import * as rooms from './room-handlers.ts'
import * as watching from './watch-handlers.ts'
import { compose } from './compose.ts'

interface TeamApi {
  rooms: Rooms
  bus: Bus
  team: Team
  /** The oldest room that an agent watches. */
  firstRoom: (agent: Agent) => string | null
  /** How long an agent may be idle before it is asked to look around; null: as set for all. */
  pollMs: (agent: string) => number | null
}

/** Rooms, bus, check-ins and checkpoints. */
export const team: Feature<'team', typeof teamRoutes, TeamNeeds, TeamApi> = {
  name: 'team',
  create: (base, agents, others) => {
    const parts = compose(base, agents, others)
    const { bus: events, watches, checkIns, checkpoints, notices, announcer } = parts
    return {
      handlers: handlersOf(parts),
      watchers: [announcer],
      mcpTools: teamTools(toolAnswers(parts)),
      // After a notice is closed there may be more to tell.
      open: () =>
        others.inbox.inbox.listen({
          onStep: (item) => {
            if (isClosed(item) && isNotice(item)) notices.consider(item.directive.agent.id)
          },
        }),
      // What an earlier daemon had written down and not told is told now; who gets a message itself needs no notice of it.
      start: () => {
        void makeUp(parts).then(() => agents.supervisor.agents.forEach(({ id }) => notices.consider(id)))
        for (const one of [events, checkIns, checkpoints]) one.start()
      },
      stop: () => [events, checkIns, checkpoints].forEach((one) => one.stop()),
      reload: () => {
        watches.reload()
        events.reload()
      },
      api: {
        rooms: parts.rooms,
        bus: events,
        team: parts.team,
        firstRoom: (agent) => {
          const watched = parts.rooms.all(agent.project).filter(({ name }) => parts.team.watchesRoom(agent, name))
          return watched.toSorted((one, other) => one.createdAt - other.createdAt)[0]?.name ?? null
        },
        pollMs: (agent) => {
          const { intervalS } = watches.get(agent)
          return intervalS === null ? null : intervalS * 1000
        },
      },
    }
  },
}

/** One after the other: there may be many, and long ones. */
const makeUp = async ({ reader, mentions }: TeamParts): Promise<void> => {
  for (const { agent, post } of pendingMentions(reader)) {
    const found = findPost(reader, post)
    if (found !== undefined) await mentions.deliver(found.post, agent)
  }
}

const handlersOf = (parts: TeamParts): Handlers<typeof teamRoutes> => ({
  createRoom: ({ actor, input }) => rooms.create(parts, actor, input),
  rooms: ({ actor, input }) => rooms.list(parts, actor, input),
  followRooms: ({ actor, input, signal }) => rooms.follow(parts, actor, input, signal),
  post: ({ actor, input }) => rooms.post(parts, actor, input),
  posts: ({ actor, input }) => rooms.posts(parts, actor, input),
  moveCursor: ({ actor, input }) => rooms.moveCursor(parts, actor, input),
  members: ({ actor, input }) => rooms.members(parts, actor, input),
  archiveRoom: ({ actor, input }) => rooms.archive(parts, actor, input),
  pauseRoom: ({ actor, input }) => rooms.pause(parts, actor, input),
  publish: ({ actor, input }) => bus.publish(parts, actor, input),
  events: ({ actor, input }) => bus.events(parts, actor, input),
  ackEvents: ({ actor, input }) => bus.ack(parts, actor, input),
  busStatus: ({ actor, input }) => bus.status(parts, actor, input),
  pruneEvents: ({ actor, input }) => bus.prune(parts, actor, input),
  watches: ({ actor, input }) => watching.watches(parts, actor, input),
  control: ({ actor, input }) => watching.control(parts, actor, input),
  controls: ({ actor, input }) => watching.controls(parts, actor, input),
  decide: ({ actor, input }) => watching.decide(parts, actor, input),
  decisions: ({ actor, input }) => watching.decisions(parts, actor, input),
})

const toolAnswers = (parts: TeamParts): TeamAnswers => ({
  rooms: ({ actor, cwd }) => rooms.list(parts, actor, { cwd, all: false }),
  posts: ({ actor, cwd }, wanted) => rooms.posts(parts, actor, { ...wanted, cwd }),
  // What was read is read when the answer has left: until then it would be lost with it. For a person nobody reads.
  confirm: ({ actor, cwd, onAnswered }, room, upTo) => {
    if (actor.kind !== 'agent') return
    onAnswered(() => void rooms.moveCursor(parts, actor, { room, upTo, cwd }).catch(parts.troubleIn('rooms')))
  },
  post: async (caller, { room, text }) => rooms.post(parts, agentOnly(caller), { room, text, cwd: caller.cwd }),
  publish: async (caller, event) => bus.publish(parts, agentOnly(caller), { ...event, cwd: caller.cwd }),
  events: ({ actor, cwd }, { id, limit }) => bus.events(parts, actor, { id, limit, cwd, all: false, take: true }),
  ackEvents: async (caller, ids) => bus.ack(parts, agentOnly(caller), { ids, all: false, cwd: caller.cwd }),
})
