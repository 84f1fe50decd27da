import { z } from 'zod'
import { OwnHost } from './agent.ts'
import { channelPattern, eventTypePattern, handlePattern, subjectPattern } from './handle.ts'
import { Actor, AgentRef } from './identity.ts'
import { userMember } from './person.ts'
import { TaskName, TaskRole } from './task.ts'
import { defineRecords } from './record-kind.ts'

export const RoomName = z.string().regex(channelPattern)

/** `project/name`: rooms of the same name in two projects are two rooms. */
export const roomKey = (project: string, name: string): string => `${project}/${name}`
export const splitRoomKey = (key: string): { project: string; name: string } => {
  const slash = key.lastIndexOf('/')
  return { project: key.slice(0, slash), name: key.slice(slash + 1) }
}

/** A chat of one project. Its agents and the user are its members. */
export const Room = z.object({
  project: z.string(),
  name: RoomName,
  /** Its purpose, in a few words. */
  about: z.string(),
  createdAt: z.number(),
})
export type Room = z.infer<typeof Room>

/** The kinds of mentions: `@handle` wakes, `@handle!` is urgent, `@handle?` asks Rein for the state of the agent. */
export const mentionKinds = ['plain', 'urgent', 'query'] as const
export const Mention = z.object({ agent: AgentRef, kind: z.enum(mentionKinds) })
export type Mention = z.infer<typeof Mention>

/** A post in a room. Posts are numbered from 1 without gaps when they are recorded. */
export const Post = z.object({
  id: z.string(),
  room: z.string(),
  author: Actor,
  text: z.string(),
  at: z.number(),
  /** The agents it named when it was posted: `@all` stands for all members then. */
  mentions: z.array(Mention),
  /** `answer`: Rein's, to a `@handle?`; `checkin`: Rein's, to those who are silent. */
  kind: z.enum(['message', 'answer', 'checkin']),
})
export type Post = z.infer<typeof Post>

/** As it is read: with its number. */
export const NumberedPost = Post.extend({ n: z.number() })
export type NumberedPost = z.infer<typeof NumberedPost>

/** An agent by its id, or the user: who has a cursor in rooms and events on the bus. */
export const memberOf = (actor: Actor): string | null => {
  if (actor.kind === 'agent') return actor.id
  return actor.kind === 'user' ? userMember : null
}

/** Most pressing first. */
export const eventPriorities = ['critical', 'high', 'normal', 'low'] as const
export const EventPriority = z.enum(eventPriorities)
export type EventPriority = z.infer<typeof EventPriority>

export const EventTypeName = z.string().regex(eventTypePattern)

/** A typed message on the bus of a project. */
export const BusEvent = z.object({
  id: z.string(),
  project: z.string(),
  type: EventTypeName,
  /** The version of its type; 0 for a type that Rein does not know. */
  v: z.number(),
  priority: EventPriority,
  payload: z.string(),
  from: Actor,
  /** The one it is for; null: everybody who watches. */
  to: AgentRef.nullable(),
  /** `each` recipient acknowledges it, or it is done `once`, by the one of them that takes it. */
  delivery: z.enum(['each', 'once']),
  dedup: z.string().nullable(),
  at: z.number(),
  /** When it should be acknowledged; null: whenever. */
  due: z.number().nullable(),
})
export type BusEvent = z.infer<typeof BusEvent>

export const Subject = z.string().regex(subjectPattern)
export const Watch = z.object({
  subjects: z.array(Subject),
  /** Exceptions from these. */
  except: z.array(Subject),
  /** How long it may be idle before it is asked to look around; null: as set for all, 0: never. */
  intervalS: z.number().int().min(0).nullable(),
})
export type Watch = z.infer<typeof Watch>
export const watchesAll: Watch = { subjects: ['room:*', 'bus:*'], except: [], intervalS: null }

/** A logged decision; checkpoints count them. */
export const Decision = z.object({ id: z.string(), project: z.string(), text: z.string(), by: Actor, at: z.number() })
export type Decision = z.infer<typeof Decision>
export const NumberedDecision = Decision.extend({ n: z.number() })
export type NumberedDecision = z.infer<typeof NumberedDecision>

/** Names of rooms or types of events, each with `*` for anything. */
const Names = z.array(z.string().regex(/^[a-z0-9_*-]{1,64}$/)).default([])

/**
 * An agent that `rein team up` starts. The file comes with a repository: what an agent may do without asking,
 * and in which environment it runs, is not for it to say.
 */
export const TeamAgent = z.strictObject({
  driver: z.string().min(1).max(64).optional(),
  host: OwnHost.optional(),
  /** Never what a CLI could take for a flag. */
  model: z
    .string()
    .regex(/^[A-Za-z0-9][\w.:/@[\]-]*$/)
    .max(200)
    .optional(),
  prompt: z.string().max(100_000).optional(),
  /** From the top of the project. */
  cwd: z.string().min(1).max(1000).optional(),
  /** The name of a git work tree of its own. */
  worktree: TaskName.optional(),
  task: TaskName.optional(),
  role: TaskRole.optional(),
})
export type TeamAgent = z.infer<typeof TeamAgent>

/** The team as its project's `.rein/team.toml` says. */
export const TeamFile = z.strictObject({
  agents: z.record(z.string().regex(handlePattern), TeamAgent).default({}),
  hubs: z.record(z.string().regex(channelPattern), z.strictObject({ rooms: Names, events: Names })).default({}),
})
export type TeamFile = z.infer<typeof TeamFile>

export const roomRecords = defineRecords('rooms', {
  'room.created': [1, z.object({ room: Room })],
  /** Check-ins of the room are paused until a time, or (null) until they are resumed. */
  'room.paused': [1, z.object({ room: z.string(), isPaused: z.boolean(), until: z.number().nullable() })],
  /** Posts up to this number moved to a file. */
  'room.archived': [1, z.object({ room: z.string(), upTo: z.number(), file: z.string() })],
})

export const chatRecords = defineRecords(
  'chats',
  {
    'chat.posted': [1, z.object({ post: Post })],
    /** A member has read up to here. */
    'chat.read': [1, z.object({ room: z.string(), member: z.string(), upTo: z.number() })],
  },
  { isClean: true },
)

export const checkinRecords = defineRecords('checkins', {
  /** Rein asked those who are silent, once in this slot of time. */
  'checkin.asked': [1, z.object({ room: z.string(), slot: z.number(), asked: z.array(z.string()) })],
})

export const eventRecords = defineRecords(
  'events',
  {
    /** With the members that have to acknowledge it, or (done once) that may. */
    'event.published': [1, z.object({ event: BusEvent, recipients: z.array(z.string()) })],
    /** An event that is done once is leased to this member until then. */
    'event.leased': [1, z.object({ event: z.string(), member: z.string(), until: z.number() })],
    'event.acked': [1, z.object({ event: z.string(), member: z.string() })],
    /** Overdue: its recipients were told again (1), then a person was (2). */
    'event.escalated': [1, z.object({ event: z.string(), level: z.number() })],
    'event.pruned': [1, z.object({ events: z.array(z.string()) })],
  },
  { isClean: true },
)

export const watchRecords = defineRecords('watches', {
  'watch.set': [1, z.object({ watch: Watch })],
})

export const controlRecords = defineRecords('controls', {
  /** A control line of an agent (or of a person for it) that changes what it watches, and its error. */
  'control.line': [1, z.object({ line: z.string(), error: z.string().nullable() })],
})

export const decisionRecords = defineRecords(
  'decisions',
  {
    'decision.logged': [1, z.object({ decision: Decision })],
  },
  { isClean: true },
)

export const checkpointRecords = defineRecords('checkpoints', {
  /** A checkpoint is due, by the number of decisions or by time. */
  'checkpoint.due': [1, z.object({ decisions: z.number(), bucket: z.number(), event: z.string() })],
  /** The command that handles checkpoints has ended. */
  'checkpoint.handled': [1, z.object({ event: z.string(), exit: z.number().nullable(), output: z.string() })],
})
