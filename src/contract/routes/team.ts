import { z } from 'zod'
import { AgentState } from '../agent.ts'
import { Actor } from '../identity.ts'
import {
  BusEvent,
  EventPriority,
  EventTypeName,
  mentionKinds,
  NumberedDecision,
  NumberedPost,
  RoomName,
  Subject,
} from '../team.ts'
import { type ClientInput, count, flag, HereInput, time } from './fields.ts'
import { route, type Routes } from './route.ts'

export const MembersInput = HereInput.extend({ room: RoomName })

export const CreateRoomInput = MembersInput.extend({ about: z.string().max(200).default('') })
export const RoomsInput = HereInput.extend({ all: flag })
export const RoomOutput = z.object({
  name: z.string(),
  project: z.string(),
  about: z.string(),
  posts: z.number().describe('how many messages were posted'),
  first: z.number().describe('the number of the oldest message that is not archived'),
  unread: z.number().describe('how many of them the caller has not read'),
  mentions: z.number().describe('how many of these name the caller'),
  members: z.number(),
  lastAt: time('when something was posted last').nullable(),
  paused: z.boolean().describe('whether check-ins are paused'),
  pausedUntil: time('when that ends by itself').nullable(),
})
export const RoomsOutput = z.array(RoomOutput)

export const PostInput = MembersInput.extend({
  text: z.string(),
  /** The same id again is the same message. */
  id: z
    .string()
    .regex(/^post_[\w-]{1,80}$/)
    .optional(),
})
export const MentionOutput = z.object({
  handle: z.string(),
  kind: z.enum(mentionKinds),
  directive: z
    .string()
    .nullable()
    .describe('the id for `rein receipt`; null if a notice tells it, or the mention only asks Rein'),
  damped: z
    .boolean()
    .describe('whether it names an agent that has too many of these waiting: it is unread like any other message'),
})
export const PostOutput = z.object({
  id: z.string(),
  room: z.string(),
  n: z.number().describe('its number in the room'),
  mentions: z.array(MentionOutput),
  answers: z
    .array(
      z.object({
        handle: z.string(),
        state: AgentState,
        screen: z.array(z.string()).describe('the end of its screen'),
      }),
    )
    .describe('what Rein says about those named with a question mark'),
  unknown: z.array(z.string()).describe('names after an @ that no agent of this project has'),
})

export const PostsInput = MembersInput.extend({
  unread: flag,
  /** Only those after this number. */
  after: count.optional(),
  before: count.optional(),
  /** Only those posted at or after this time. */
  since: count.optional(),
  /** Only the newest so many. */
  last: count.optional(),
  /** Only those that hold this text, in any case. */
  search: z.string().optional(),
  limit: count.optional(),
})
export const PostView = NumberedPost.omit({ room: true, mentions: true }).extend({
  author: Actor,
  from: z.string().describe('who posted it, as shown'),
  mentions: z.array(z.string()).describe('handles of those it names'),
  withheld: z.boolean().describe('true if its text came in from outside and is not shown to this agent'),
})
export const PostsOutput = z.object({
  room: z.string(),
  posts: z.array(PostView),
  /** With `--unread`: how many are left after these. */
  left: z.number().describe('how many more match'),
  archived: z.number().describe('how many unread ones were archived and are not among these'),
  upTo: z.number().describe('how far the room is read with these, archived ones included: what `moveCursor` confirms'),
})
export const CursorInput = MembersInput.extend({ upTo: count })
export const CursorOutput = z.object({ room: z.string(), cursor: z.number(), unread: z.number() })

export const MembersOutput = z.array(
  z.object({
    handle: z.string(),
    kind: z.enum(['person', 'agent']),
    state: AgentState.nullable(),
    watches: z.boolean().describe('whether it is told about messages here'),
    cursor: z.number().describe('the number of the last message it has read'),
    unread: z.number(),
  }),
)
export const ArchiveInput = MembersInput.extend({ keep: count.describe('how many of the newest stay') })
export const ArchiveOutput = z.object({
  room: z.string(),
  archived: z.number().describe('how many messages were moved'),
  upTo: z.number().describe('the number of the last of them'),
  file: z.string().nullable().describe('where they are now'),
})
export const PauseRoomInput = MembersInput.extend({
  isPaused: z.boolean(),
  forMs: z.number().positive().nullable().default(null),
})
export const FollowRoomsInput = HereInput.extend({ room: RoomName.optional() })

/** A change: all rooms, and the new posts of the followed one (at first its newest). */
export const RoomsChange = z.object({ rooms: RoomsOutput, room: z.string().nullable(), posts: z.array(PostView) })

export const PublishInput = HereInput.extend({
  type: EventTypeName,
  payload: z.string().default(''),
  priority: EventPriority.optional(),
  dedup: z.string().min(1).max(200).optional(),
  /** A handle; none: everybody who watches. */
  to: z.string().optional(),
  once: z.boolean().default(false),
})
export const PublishOutput = z.object({
  id: z.string(),
  type: z.string(),
  priority: EventPriority,
  recipients: z.array(z.string()).describe('handles of those that are to acknowledge it, or (done once) may'),
  duplicate: z.boolean().describe('whether the same was published within the dedup window: then the id is that one’s'),
})
export const EventsInput = HereInput.extend({
  /** One event, for any recipient. */
  id: z.string().optional(),
  type: z.string().optional(),
  limit: count.optional(),
  /** Includes finished events. */
  all: flag,
  /** Events that are done once are leased to the agent that reads them. */
  take: flag,
})
export const EventView = BusEvent.omit({ from: true, to: true }).extend({
  from: z.string(),
  to: z.string().nullable().describe('the handle it is for; null: everybody who watches'),
  pending: z.array(z.string()).describe('handles of those that have not acknowledged it'),
  leasedBy: z.string().nullable(),
  leasedUntil: time('until when').nullable(),
  overdue: z.boolean(),
  escalated: z.number().describe('0, 1: its recipients were told again, 2: a person was told'),
})
export const EventsOutput = z.object({
  events: z.array(EventView).describe('most pressing first, then in order'),
  left: z.number().describe('how many more there are'),
  counts: z.record(EventPriority, z.number()).describe('open ones of each priority'),
})
export const AckEventInput = HereInput.extend({ ids: z.array(z.string()).max(1000), all: z.boolean().default(false) })
export const AckEventOutput = z.object({
  acked: z.array(z.string()).describe('the events that this acknowledges'),
  open: z.number(),
})
export const BusStatusOutput = z.object({
  project: z.string(),
  open: z.record(EventPriority, z.number()),
  overdue: z.number(),
  oldestAt: time('when the oldest open one was published').nullable(),
  kept: z.number().describe('events that are kept, done ones included'),
  bytes: z.number().describe('what they take'),
  recipients: z.array(z.object({ handle: z.string(), pending: z.number(), overdue: z.number() })),
})
export const PruneInput = HereInput.extend({
  olderThanMs: z.number().min(0).optional(),
  keepBytes: z.number().min(0).optional(),
})
export const PruneOutput = z.object({ pruned: z.number(), kept: z.number(), bytes: z.number() })

const mostSubjects = 100

export const WatchesInput = HereInput.extend({
  target: z.string().optional(),
  set: z.array(Subject).max(mostSubjects).optional(),
  add: z.array(Subject).max(mostSubjects).default([]),
  drop: z.array(Subject).max(mostSubjects).default([]),
})
export const WatchesOutput = z.object({
  handle: z.string(),
  project: z.string(),
  subjects: z.array(z.string()),
  except: z.array(z.string()),
  intervalS: z
    .number()
    .nullable()
    .describe('how long it may be idle before it is asked to look around; null: as set for all'),
  rooms: z.array(z.string()).describe('the rooms that this means now'),
})
export const ControlInput = HereInput.extend({ target: z.string().optional(), line: z.string().max(1000) })
export const ControlsInput = HereInput.extend({ target: z.string().optional() })
export const ControlOutput = z.array(
  z.object({
    line: z.string(),
    at: time('when'),
    by: z.string(),
    error: z.string().nullable().describe('why nothing came of it'),
  }),
)

export const DecideInput = HereInput.extend({ text: z.string() })
export const DecisionOutput = NumberedDecision.omit({ by: true }).extend({ by: z.string() })
export const DecideOutput = DecisionOutput.extend({
  checkpoint: z.string().nullable().describe('the event that this decision brought about'),
})
export const DecisionsInput = HereInput.extend({ last: count.optional(), search: z.string().optional() })
export const DecisionsOutput = z.object({
  decisions: z.array(DecisionOutput),
  total: z.number(),
  every: z.number().describe('how many make a checkpoint; 0: none'),
})

export type RoomView = z.infer<typeof RoomOutput>
export type RoomsChange = z.infer<typeof RoomsChange>
export type PostedView = z.infer<typeof PostOutput>
export type PostView = z.infer<typeof PostView>
export type PostsView = z.infer<typeof PostsOutput>
export type CursorView = z.infer<typeof CursorOutput>
export type MemberView = z.infer<typeof MembersOutput>[number]
export type ArchivedView = z.infer<typeof ArchiveOutput>
export type PublishedView = z.infer<typeof PublishOutput>
export type EventView = z.infer<typeof EventView>
export type EventsView = z.infer<typeof EventsOutput>
export type AckedView = z.infer<typeof AckEventOutput>
export type BusStatusView = z.infer<typeof BusStatusOutput>
export type PruneRequest = ClientInput<typeof PruneInput>
export type PrunedView = z.infer<typeof PruneOutput>
export type WatchesView = z.infer<typeof WatchesOutput>
export type ControlView = z.infer<typeof ControlOutput>[number]
export type DecisionView = z.infer<typeof DecisionOutput>
export type DecidedView = z.infer<typeof DecideOutput>
export type DecisionsView = z.infer<typeof DecisionsOutput>

/** Rooms, the bus, and what a team decides. */
export const teamRoutes = {
  createRoom: route({
    method: 'POST',
    path: '/v1/rooms',
    input: CreateRoomInput,
    output: RoomOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein chat create'],
    help: 'Makes a room.',
  }),
  rooms: route({
    method: 'GET',
    path: '/v1/rooms',
    input: RoomsInput,
    output: RoomsOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein chat list'],
    help: 'Lists the rooms of a project, or all.',
  }),
  followRooms: route({
    method: 'GET',
    path: '/v1/rooms/follow',
    input: FollowRoomsInput,
    output: RoomsChange,
    stream: true,
    scope: 'read',
    agentMay: true,
    help: 'All rooms now, with the newest posts of the one that is named, and again whenever something changed.',
  }),
  post: route({
    method: 'POST',
    path: '/v1/rooms/posts',
    input: PostInput,
    output: PostOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein chat send'],
    help: 'Posts a message in a room.',
  }),
  posts: route({
    method: 'GET',
    path: '/v1/rooms/posts',
    input: PostsInput,
    output: PostsOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein chat read', 'rein chat search'],
    help: 'Reads a room; this moves no cursor.',
  }),
  moveCursor: route({
    method: 'POST',
    path: '/v1/rooms/cursor',
    input: CursorInput,
    output: CursorOutput,
    scope: 'tell',
    agentMay: true,
    help: 'Says up to where the caller has read a room.',
  }),
  members: route({
    method: 'GET',
    path: '/v1/rooms/members',
    input: MembersInput,
    output: MembersOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein chat members'],
    help: 'Lists who is in a room.',
  }),
  archiveRoom: route({
    method: 'POST',
    path: '/v1/rooms/archive',
    input: ArchiveInput,
    output: ArchiveOutput,
    scope: 'control',
    limitMs: 120_000,
    commands: ['rein chat archive'],
    help: 'Moves the older messages of a room into a file.',
  }),
  pauseRoom: route({
    method: 'POST',
    path: '/v1/rooms/pause',
    input: PauseRoomInput,
    output: RoomOutput,
    scope: 'control',
    commands: ['rein chat pause', 'rein chat resume'],
    help: 'Pauses the check-ins of a room, or lets them go on.',
  }),
  publish: route({
    method: 'POST',
    path: '/v1/events',
    input: PublishInput,
    output: PublishOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein bus publish'],
    help: 'Publishes an event on the bus.',
  }),
  events: route({
    method: 'POST',
    path: '/v1/events/read',
    input: EventsInput,
    output: EventsOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein bus check', 'rein bus read'],
    help: 'Reads events; `take` takes over those that are done once.',
  }),
  ackEvents: route({
    method: 'POST',
    path: '/v1/events/ack',
    input: AckEventInput,
    output: AckEventOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein bus ack'],
    help: 'Acknowledges events.',
  }),
  busStatus: route({
    method: 'GET',
    path: '/v1/events/status',
    input: HereInput,
    output: BusStatusOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein bus status'],
    help: 'Counts the events that are open, and for whom.',
  }),
  pruneEvents: route({
    method: 'POST',
    path: '/v1/events/prune',
    input: PruneInput,
    output: PruneOutput,
    scope: 'control',
    commands: ['rein bus prune'],
    help: 'Removes old events that are done.',
  }),
  watches: route({
    method: 'POST',
    path: '/v1/watches',
    input: WatchesInput,
    output: WatchesOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein bus watch'],
    help: 'Sets what an agent watches; with nothing to set, only tells it.',
  }),
  control: route({
    method: 'POST',
    path: '/v1/control',
    input: ControlInput,
    output: ControlOutput,
    scope: 'control',
    agentMay: true,
    commands: ['rein bus control'],
    help: 'Writes a line to the control file of an agent.',
  }),
  controls: route({
    method: 'GET',
    path: '/v1/control',
    input: ControlsInput,
    output: ControlOutput,
    scope: 'read',
    agentMay: true,
    help: 'Reads the control file of an agent.',
  }),
  decide: route({
    method: 'POST',
    path: '/v1/decisions',
    input: DecideInput,
    output: DecideOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein decision log'],
    help: 'Writes down a decision of the project.',
  }),
  decisions: route({
    method: 'GET',
    path: '/v1/decisions',
    input: DecisionsInput,
    output: DecisionsOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein decision list'],
    help: 'Lists the decisions of a project.',
  }),
} satisfies Routes
