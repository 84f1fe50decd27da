import { z } from 'zod'
import { count, flag, HereInput, time } from './fields.ts'
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
    .describe('what to follow with `rein receipt`; null if it is told by a notice, or only asked about'),
  damped: z
    .boolean()
    .describe('whether it names somebody who has enough of these waiting: it is unread like any other'),
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
    watches: z.boolean().describe('whether it is told of what is said here'),
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
  /** One, whoever it is for. */
  id: z.string().optional(),
  type: z.string().optional(),
  limit: count.optional(),
  /** Those that are done, too. */
  all: flag,
  /** Those that are done once are taken over by the agent that reads them. */
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
  acked: z.array(z.string()).describe('what is acknowledged by this'),
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

/** What the team’s commands print with `--json`. */
export const teamOutputs = {
  'rein chat create': RoomOutput,
  'rein chat list': RoomsOutput,
  'rein chat send': PostOutput,
  'rein chat read': PostsOutput,
  'rein chat search': PostsOutput,
  'rein chat members': MembersOutput,
  'rein chat archive': ArchiveOutput,
  'rein chat pause': RoomOutput,
  'rein chat unpause': RoomOutput,
  'rein bus publish': PublishOutput,
  'rein bus check': EventsOutput,
  'rein bus read': EventsOutput,
  'rein bus ack': AckEventOutput,
  'rein bus status': BusStatusOutput,
  'rein bus prune': PruneOutput,
  'rein watch': WatchesOutput,
  'rein control': ControlOutput,
  'rein decision': DecideOutput,
  'rein decisions': DecisionsOutput,
} as const

export type CreateRoomRequest = z.input<typeof CreateRoomInput>
export type RoomView = z.infer<typeof RoomOutput>
export type PostRequest = z.input<typeof PostInput>
export type PostedView = z.infer<typeof PostOutput>
export type PostsRequest = z.input<typeof PostsInput>
export type PostView = z.infer<typeof PostView>
export type PostsView = z.infer<typeof PostsOutput>
export type CursorView = z.infer<typeof CursorOutput>
export type MemberView = z.infer<typeof MembersOutput>[number]
export type ArchivedView = z.infer<typeof ArchiveOutput>
export type PauseRoomRequest = z.input<typeof PauseRoomInput>
export type PublishRequest = z.input<typeof PublishInput>
export type PublishedView = z.infer<typeof PublishOutput>
export type EventsRequest = z.input<typeof EventsInput>
export type EventView = z.infer<typeof EventView>
export type EventsView = z.infer<typeof EventsOutput>
export type AckEventsRequest = z.input<typeof AckEventInput>
export type AckedView = z.infer<typeof AckEventOutput>
export type BusStatusView = z.infer<typeof BusStatusOutput>
export type PruneRequest = z.input<typeof PruneInput>
export type PrunedView = z.infer<typeof PruneOutput>
export type WatchesRequest = z.input<typeof WatchesInput>
export type WatchesView = z.infer<typeof WatchesOutput>
export type ControlView = z.infer<typeof ControlOutput>[number]
export type DecisionView = z.infer<typeof DecisionOutput>
export type DecidedView = z.infer<typeof DecideOutput>
export type DecisionsView = z.infer<typeof DecisionsOutput>

/** What changed: all rooms, and what is new in the one that is followed (at first its newest posts). */
export interface RoomsChange {
  rooms: RoomView[]
  room: string | null
  posts: PostView[]
}
