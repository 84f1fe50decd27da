import { z } from 'zod'
import { Agent, AgentModel, AgentState, Health, HostKind, LaunchRequest, ProcessRef, Question } from './agent.ts'
import { AdapterEntry, Channel, ChannelName, Message, Outgoing, Route } from './channel.ts'
import { Advice, Command, ShellSession } from './command.ts'
import { Directive, OfferVia } from './directive.ts'
import { ReinError } from './errors.ts'
import { Actor, Evidence } from './identity.ts'
import { Lease, LeaseEnd, LeaseWhy } from './lease.ts'
import { NoticedLoop } from './loop.ts'
import { RuleDecided } from './opinion.ts'
import { ProjectAlias } from './project.ts'
import { Move, Place, Skipped, SnapshotCause, SnapshotRef } from './session.ts'
import { RunDecided } from './run.ts'
import { Task, TaskMember, TaskState } from './task.ts'
import { BusEvent, Decision, Post, Room, Watch } from './team.ts'
import { TurnBlock, TurnUsage } from './turn.ts'

const define = <T extends z.ZodType>(topic: string, v: number, body: T) => ({ topic, v, body })
const evidence = z.object({ evidence: Evidence })
const reason = z.object({ reason: z.string() })
const turn = z.object({ conversation: z.string(), turn: z.string() })

/** Every kind of record there is: its topic, its version, its body. */
export const manifest = {
  'directive.accepted': define('directives', 1, z.object({ directive: Directive })),
  'directive.offered': define(
    'directives',
    1,
    z.object({ attempt: z.number(), via: OfferVia, parts: z.array(z.number()), partCount: z.number() }),
  ),
  'directive.placed': define('directives', 1, evidence),
  'directive.seen': define('directives', 1, evidence),
  'directive.acked': define('directives', 1, z.object({ note: z.string().optional(), evidence: Evidence })),
  'directive.requeued': define('directives', 1, reason.extend({ evidence: Evidence.optional() })),
  'directive.held': define('directives', 1, reason),
  'directive.expired': define('directives', 1, z.object({})),
  'directive.cancelled': define('directives', 1, z.object({})),
  'directive.failed': define('directives', 1, reason),
  'agent.created': define('agents', 1, z.object({ agent: Agent })),
  'agent.launched': define(
    'agents',
    1,
    z.object({
      process: ProcessRef,
      launch: z.number().nullable().default(null),
      host: HostKind,
      version: z.string(),
      cwd: z.string(),
      /** The CLI's own file. */
      program: z.string().nullable().default(null),
      conversation: z.string().nullable(),
      transcript: z.string().nullable(),
      request: LaunchRequest,
    }),
  ),
  'agent.state': define(
    'agents',
    1,
    z.object({
      state: AgentState,
      evidence: Evidence,
      question: Question.nullable().default(null),
      until: z.number().nullable().optional(),
      /** From what the evidence says happened to this record, as far as that can be told. */
      latencyMs: z.number().optional(),
    }),
  ),
  /** No conversation: it begins a new one when it is started next. */
  'agent.conversation': define(
    'agents',
    1,
    z.object({ conversation: z.string().nullable(), transcript: z.string().nullable(), evidence: Evidence }),
  ),
  'agent.stop_blocked': define('agents', 1, z.object({ count: z.number() })),
  'agent.interrupted': define('agents', 1, evidence),
  /** A question of the agent's got its answer: in the words of `rein answer`, from whom, and why. */
  'agent.answered': define(
    'agents',
    1,
    z.object({ question: Question, answer: z.string(), by: z.enum(['policy', 'rule', 'person']), why: z.string() }),
  ),
  /** The calls that a person is asked about while the agent goes on. */
  'agent.held': define('agents', 1, z.object({ held: z.array(Question) })),
  'agent.paused': define(
    'agents',
    1,
    z.object({
      isPaused: z.boolean(),
      isCutOff: z.boolean().default(false),
      reason: z.string().nullable().default(null),
    }),
  ),
  'agent.model': define('agents', 1, z.object({ model: AgentModel })),
  'agent.health': define('agents', 1, z.object({ health: Health, reason: z.string() })),
  /** A threshold of its context was passed, and what was done about it; or it has room again. */
  'agent.context': define(
    'agents',
    1,
    z.object({
      /** `emptied`: what was done before does not count any more. */
      step: z.enum(['warn', 'handover', 'rotate', 'emptied']),
      conversation: z.string(),
      used: z.number(),
      window: z.number(),
    }),
  ),
  'agent.foreign': define(
    'agents',
    1,
    z.object({ conversation: z.string(), pid: z.number().nullable(), event: z.string() }),
  ),
  /** A channel as it is from now on. */
  'channel.set': define('channels', 1, z.object({ channel: Channel })),
  'channel.removed': define('channels', 1, z.object({ name: ChannelName })),
  /** Where messages go whose channel has no route of its own. */
  'channel.default': define('channels', 1, z.object({ route: Route.nullable() })),
  'message.received': define('messages', 1, z.object({ message: Message })),
  /** It is in the inbox of this agent, under its own id; or in this room, and `agent` is empty. */
  'message.routed': define(
    'messages',
    1,
    z.object({ message: z.string(), agent: z.string(), room: z.string().optional() }),
  ),
  /** It answered a question of an agent, or tried to. */
  'message.answered': define('messages', 1, z.object({ message: z.string() })),
  /** A person withdrew it while it waited for an agent. */
  'message.dropped': define('messages', 1, z.object({ message: z.string() })),
  'message.sent': define('messages', 1, z.object({ outgoing: Outgoing })),
  /** A program has it, and is to say what became of it. */
  'message.lent': define('messages', 1, z.object({ until: z.number() })),
  'message.delivered': define('messages', 1, z.object({ by: z.string() })),
  'message.failed': define('messages', 1, reason.extend({ attempt: z.number(), until: z.number() })),
  'message.dead': define('messages', 1, reason),
  'message.retried': define('messages', 1, z.object({})),
  'adapter.set': define('adapters', 1, z.object({ adapter: AdapterEntry })),
  'adapter.removed': define('adapters', 1, z.object({ name: ChannelName })),
  /** A project is found by these from now on, and at the places `gone` no more. */
  'project.known': define(
    'projects',
    1,
    z.object({ project: z.string(), aliases: z.array(ProjectAlias), gone: z.array(z.string()) }),
  ),
  'task.created': define('tasks', 1, z.object({ task: Task })),
  'task.state': define('tasks', 1, z.object({ task: z.string(), state: TaskState, reason: z.string().nullable() })),
  'task.joined': define('tasks', 1, z.object({ task: z.string(), member: TaskMember })),
  'task.left': define('tasks', 1, z.object({ task: z.string(), agent: z.string(), reason: z.string() })),
  'lease.taken': define('leases', 1, z.object({ lease: Lease })),
  /** Without `why` it is still for what it was for. */
  'lease.renewed': define(
    'leases',
    1,
    z.object({ lease: z.string(), until: z.number(), why: LeaseWhy.nullable().optional() }),
  ),
  /** By its holder, by a person, or because its time is over. */
  'lease.ended': define('leases', 1, z.object({ lease: z.string(), why: LeaseEnd })),
  /** A change of a file was denied because of it. */
  'lease.denied': define('leases', 1, z.object({ lease: z.string(), path: z.string(), tool: z.string() })),
  'room.created': define('rooms', 1, z.object({ room: Room })),
  /** Rein asks nobody there how they are: until a time, or (null) until it is said otherwise. */
  'room.paused': define(
    'rooms',
    1,
    z.object({ room: z.string(), isPaused: z.boolean(), until: z.number().nullable() }),
  ),
  /** What was said up to here is in a file now. */
  'room.archived': define('rooms', 1, z.object({ room: z.string(), upTo: z.number(), file: z.string() })),
  'chat.posted': define('chats', 1, z.object({ post: Post })),
  /** A member has read up to here. */
  'chat.read': define('chats', 1, z.object({ room: z.string(), member: z.string(), upTo: z.number() })),
  /** Rein asked those who are silent, once in this slot of time. */
  'checkin.asked': define('checkins', 1, z.object({ room: z.string(), slot: z.number(), asked: z.array(z.string()) })),
  /** With the members that have to acknowledge it, or (done once) that may. */
  'event.published': define('events', 1, z.object({ event: BusEvent, recipients: z.array(z.string()) })),
  /** One that is done once is with this member until then. */
  'event.leased': define('events', 1, z.object({ event: z.string(), member: z.string(), until: z.number() })),
  'event.acked': define('events', 1, z.object({ event: z.string(), member: z.string() })),
  /** Overdue: its recipients were told again (1), then a person was (2). */
  'event.escalated': define('events', 1, z.object({ event: z.string(), level: z.number() })),
  'event.pruned': define('events', 1, z.object({ events: z.array(z.string()) })),
  'watch.set': define('watches', 1, z.object({ watch: Watch })),
  /** What an agent (or a person for it) wrote to change what it watches, and why nothing came of it if so. */
  'control.line': define('controls', 1, z.object({ line: z.string(), error: z.string().nullable() })),
  'decision.logged': define('decisions', 1, z.object({ decision: Decision })),
  /** Every so many decisions, or so much time: somebody is to look at the whole. */
  'checkpoint.due': define(
    'checkpoints',
    1,
    z.object({ decisions: z.number(), bucket: z.number(), event: z.string() }),
  ),
  /** The command that handles checkpoints has ended. */
  'checkpoint.handled': define(
    'checkpoints',
    1,
    z.object({ event: z.string(), exit: z.number().nullable(), output: z.string() }),
  ),
  /** The files as they were when this happened; `at` is when it was asked for, `isClean` whether no tool ran meanwhile. */
  'session.snapshot': define(
    'sessions',
    1,
    z.object({
      conversation: z.string(),
      cause: SnapshotCause,
      at: z.number(),
      isClean: z.boolean(),
      root: z.string(),
      snapshot: SnapshotRef,
      skipped: z.array(Skipped),
    }),
  ),
  /** This conversation goes on from a place in another one of the session: its turns up to now are that one's. */
  'session.continued': define('sessions', 1, z.object({ session: z.string(), conversation: z.string(), from: Place })),
  /** Said once when it begins, and again when it is known what its files were. */
  'session.moving': define('sessions', 1, z.object({ move: Move })),
  /** `conversation` is where it goes on; null for one that the CLI begins anew. */
  'session.moved': define('sessions', 1, z.object({ move: z.string(), conversation: z.string().nullable() })),
  /**
   * Everything is as it was before; `found` is the snapshot of what the files were until then, if they had been touched.
   * `filesStay`: they could not be put back, or somebody had edited them since; an undo still can.
   */
  'session.failed': define(
    'sessions',
    1,
    reason.extend({ move: z.string(), found: z.string().nullable(), filesStay: z.boolean() }),
  ),
  /** Snapshots of a work tree that are no longer there. */
  'session.dropped': define('sessions', 1, z.object({ root: z.string(), snapshots: z.array(z.string()) })),
  /** A session left in a bundle, which this hash names. */
  'session.exported': define(
    'sessions',
    1,
    z.object({ session: z.string(), sha256: z.string(), turns: z.array(z.string()), isRedacted: z.boolean() }),
  ),
  /** One came in a bundle; `conversation` is where it goes on as a whole, null if it does with a summary. */
  'session.imported': define(
    'sessions',
    1,
    z.object({
      session: z.string(),
      root: z.string(),
      turns: z.array(z.string()),
      conversation: z.string().nullable(),
      /** What can run or steer something, and was agreed to: how many of each class, and which come first. */
      agreed: z.array(z.object({ class: z.string(), count: z.number(), paths: z.array(z.string()) })).default([]),
    }),
  ),
  /** Commands that were run in one project, by one agent or by people. */
  'command.ran': define('commands', 1, z.object({ commands: z.array(Command) })),
  /** These are gone, from the records that told of them, too; if somebody wanted them forgotten, also from what was said of them. */
  'command.forgotten': define('commands', 1, z.object({ commands: z.array(z.string()), isPrivate: z.boolean() })),
  'command.session': define('commands', 1, z.object({ session: ShellSession })),
  /** To say something to an agent, or nothing; `next` is the command that came after it, if that is known by then. */
  'advice.decided': define('advices', 1, z.object({ advice: Advice, next: z.string().nullable() })),
  /** An agent goes in circles, and was told so in these words. */
  'loop.noted': define('loops', 1, NoticedLoop.extend({ text: z.string() })),
  /** Its next call of that kind was made a question to a person; `isDenied`: its CLI cannot ask, so it was not run. */
  'loop.asked': define('loops', 1, NoticedLoop.extend({ isDenied: z.boolean() })),
  /** It was interrupted, and is paused. */
  'loop.stopped': define('loops', 1, NoticedLoop.extend(reason.shape)),
  /** An agent was told of these notes of its project: at a prompt, or after a command that failed. */
  'note.told': define(
    'notes',
    1,
    z.object({
      /** Or that of a sub-agent. */
      conversation: z.string(),
      notes: z.array(z.string()),
      moment: z.enum(['prompt', 'failure']),
    }),
  ),
  /** Rules had something to say to a call, a prompt or a stop; `decided` is what became of it, null if it went on as it was. */
  'rule.decided': define('rules', 1, RuleDecided),
  /** What the program that runs an agent turn by turn did next, and why. */
  'run.decided': define('runs', 1, RunDecided),
  'turn.started': define('turns', 1, turn.extend({ prompt: z.string(), entry: z.string() })),
  'turn.entry': define(
    'turns',
    1,
    turn.extend({
      entry: z.string(),
      role: z.enum(['user', 'assistant', 'system']),
      blocks: z.array(TurnBlock),
      usage: TurnUsage.optional(),
    }),
  ),
  'turn.ended': define(
    'turns',
    1,
    turn.extend({ leaf: z.string(), reason: z.string(), entries: z.number(), usage: TurnUsage.nullable() }),
  ),
  'turn.subagent_started': define(
    'turns',
    1,
    turn.extend({ subagent: z.string(), kind: z.string(), description: z.string() }),
  ),
  'turn.subagent_stopped': define('turns', 1, turn.extend({ subagent: z.string(), result: z.string() })),
} as const

export type RecordType = keyof typeof manifest
export type RecordBody<T extends RecordType> = z.infer<(typeof manifest)[T]['body']>

/** One entry of the log, as it is stored and as every reader gets it. */
export interface LogRecord<T extends RecordType = RecordType> {
  seq: number
  id: string
  topic: string
  type: T
  v: number
  at: number
  actor: Actor
  agent: string | null
  project: string | null
  cause: string | null
  body: RecordBody<T>
}

/** What a writer appends; the log assigns the sequence number. */
export type NewRecord<T extends RecordType = RecordType> = Omit<LogRecord<T>, 'seq'>
export type AnyRecord = { [T in RecordType]: LogRecord<T> }[RecordType]
/** A record as it leaves the daemon; its body was checked by its type when it was written. */
export const LogLine = z.object({
  seq: z.number(),
  id: z.string(),
  topic: z.string(),
  type: z.enum(Object.keys(manifest) as [RecordType]),
  v: z.number(),
  at: z.number().describe('milliseconds since 1970'),
  actor: Actor,
  agent: z.string().nullable(),
  project: z.string().nullable(),
  cause: z.string().nullable(),
  body: z.record(z.string(), z.unknown()),
}) as unknown as z.ZodType<AnyRecord, AnyRecord>
export type AnyNewRecord = { [T in RecordType]: NewRecord<T> }[RecordType]

export interface RecordContext {
  id: string
  at: number
  actor: Actor
  agent: string | null
  project: string | null
  cause?: string
}

export const newRecord = <T extends RecordType>(type: T, body: RecordBody<T>, context: RecordContext): NewRecord<T> => {
  const { topic, v } = manifest[type]
  return { ...context, cause: context.cause ?? null, topic, type, v, body }
}

/** Whether its body is what its type says. */
export const isSound = ({ type, body }: AnyRecord): boolean => manifest[type].body.safeParse(body).success

/** Old versions are brought up to date here, one function per step; a record from a newer Rein is refused by name. */
export const upcast = (record: { type: string; v: number; seq: number }): void => {
  const known = Object.hasOwn(manifest, record.type) ? manifest[record.type as RecordType].v : 0
  if (record.v > known) {
    throw new ReinError(
      'record_too_new',
      `Record ${record.seq} (${record.type} v${record.v}) was written by a newer Rein.`,
      'Upgrade Rein, then try again.',
    )
  }
}
