import { z } from 'zod'
import { Actor, AgentRef, Evidence } from './identity.ts'
import { Policy } from './policy.ts'
import { defineRecords } from './record-kind.ts'

export const agentStates = [
  'starting',
  'idle',
  'working',
  'awaiting_permission',
  'awaiting_answer',
  'limited',
  'paused',
  'stopped',
  'crashed',
  'looping',
] as const
export const AgentState = z.enum(agentStates)
export type AgentState = z.infer<typeof AgentState>

/** `outside`: started by hand in another terminal, known by its hooks. */
export const HostKind = z.enum(['stream', 'tmux', 'pty', 'outside'])
export type HostKind = z.infer<typeof HostKind>
/** Where Rein itself starts agents. */
export const OwnHost = HostKind.exclude(['outside'])
export type OwnHost = z.infer<typeof OwnHost>

/** It runs in a terminal of Rein's own, which can be looked at and typed to. */
export const hasTerminal = (host: HostKind): boolean => host === 'tmux' || host === 'pty'

/** A process is its pid together with its start time: a pid alone is reused. */
export const ProcessRef = z.object({ pid: z.number(), startTime: z.string() })
export type ProcessRef = z.infer<typeof ProcessRef>

/** A question that the agent waits for a person to answer. */
export const Question = z.object({
  id: z.string(),
  kind: z.enum(['permission', 'question', 'plan']),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  summary: z.string(),
  /** The options, where it is not just yes or no. */
  options: z.array(z.string()).optional(),
  /** Why Rein wants a person to be asked. */
  why: z.string().optional(),
})
export type Question = z.infer<typeof Question>

/** A call that a person has allowed for good: exactly this one, whenever this agent asks for it. */
export const AllowedCall = z.object({
  id: z.string(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  summary: z.string(),
})
export type AllowedCall = z.infer<typeof AllowedCall>

/** Whether what Rein put into an agent still works. */
export const Health = z.object({
  /** `silent`: it runs, but none of its hooks was heard. */
  hooks: z.enum(['unknown', 'heard', 'silent']),
  /** Wakes in a row that led to nothing. */
  failures: z.number(),
  /** How many times something was put back that had got lost. */
  healed: z.number(),
})
export type Health = z.infer<typeof Health>

/** The model as its CLI names it, which may say how much fits; `window`: how much fits, where the CLI says so. */
export const AgentModel = z.object({ name: z.string(), window: z.number().nullable() })
export type AgentModel = z.infer<typeof AgentModel>

export const Agent = AgentRef.extend({
  driver: z.string(),
  version: z.string(),
  host: HostKind,
  cwd: z.string(),
  state: AgentState,
  since: z.number(),
  evidence: Evidence.nullable(),
  process: ProcessRef.nullable(),
  /** The number of its last launch by Rein: its token is for that one, and its processes carry it. */
  launch: z.number().nullable().default(null),
  /** The CLI's own file, as it was started. */
  program: z.string().nullable().default(null),
  conversation: z.string().nullable(),
  transcript: z.string().nullable(),
  question: Question.nullable(),
  /** Calls that were not run, because its CLI cannot ask: a person is to say whether they may. Oldest first. */
  held: z.array(Question).default([]),
  /** Kept across launches. */
  allowed: z.array(AllowedCall).default([]),
  stopBlocks: z.number(),
  interruptedAt: z.number().nullable(),
  createdAt: z.number(),
  /** The request of its last start, without its environment. */
  request: z
    .lazy(() => LaunchRequest)
    .nullable()
    .default(null),
  /** When a state is expected to end by itself: the next restart of a crashed one, the end of a usage limit. */
  until: z.number().nullable().default(null),
  /** Its running turn ends and no new one starts until it is unpaused. */
  isPaused: z.boolean().default(false),
  /** Why Rein has paused it; null if a person has. */
  pauseReason: z.string().nullable().default(null),
  /** Its turn was cut off: by a crash, a limit or a pause. */
  wasAtWork: z.boolean().default(false),
  /** A person chose the option of a dialog by which its CLI ends: if that happens until then, it is no crash. */
  ending: z.object({ until: z.number(), actor: Actor }).nullable().default(null),
  /** When it crashed, as far as that counts for the next restart. */
  crashes: z.array(z.number()).default([]),
  health: Health.default({ hooks: 'unknown', failures: 0, healed: 0 }),
  /** The model that its CLI reported last. */
  model: AgentModel.nullable().default(null),
})
export type Agent = z.infer<typeof Agent>

/** The question to ask first: the one the agent waits for comes before held calls. */
export const openQuestion = ({ question, held }: Pick<Agent, 'question' | 'held'>): Question | null =>
  question ?? held[0] ?? null

/** Running states: the process is (believed to be) alive. A crash loop has none any more. */
export const isAlive = (state: AgentState): boolean => !['stopped', 'crashed', 'looping'].includes(state)

/** The request of `rein up`; a driver maps each field or refuses it. */
export const LaunchRequest = z.object({
  cwd: z.string(),
  prompt: z.string().optional(),
  system: z.string().optional(),
  model: z.string().optional(),
  permissionMode: z.string().optional(),
  /** Tool calls run without asking a person. */
  autoApprove: z.boolean().optional(),
  policy: Policy.optional(),
  /** False: when it crashes, it stays down. */
  restart: z.boolean().optional(),
  session: z.string().optional(),
  resume: z.string().optional(),
  /** A conversation to go on from, in a new one. */
  fork: z.string().optional(),
  continue: z.boolean().optional(),
  export: z.string().optional(),
  /** A client follows it live: text has to come in pieces. */
  live: z.boolean().optional(),
  /** The client that started it owns it: without an owner it ends. */
  isOwned: z.boolean().optional(),
  /** Nothing of what it runs goes into memory. */
  isEphemeral: z.boolean().optional(),
  /** The most it may cost, as its CLI counts it. */
  budgetUsd: z.number().positive().optional(),
  /** How often its model may reply to one prompt; only some CLIs keep to it by themselves. */
  maxTurns: z.int().positive().optional(),
  /** Kinds of tool calls that a person is asked about each time. */
  pauseOn: z
    .array(z.enum(['edit', 'bash']))
    .max(10)
    .optional(),
  env: z.record(z.string(), z.string()).default({}),
  args: z.array(z.string()).max(10_000).default([]),
})
export type LaunchRequest = z.infer<typeof LaunchRequest>
export type PauseKind = NonNullable<LaunchRequest['pauseOn']>[number]

export const agentRecords = defineRecords('agents', {
  'agent.created': [1, z.object({ agent: Agent })],
  'agent.launched': [
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
  ],
  'agent.state': [
    1,
    z.object({
      state: AgentState,
      evidence: Evidence,
      question: Question.nullable().default(null),
      until: z.number().nullable().optional(),
      /** From what the evidence says happened to this record, as far as that can be told. */
      latencyMs: z.number().optional(),
    }),
  ],
  /** No conversation: it begins a new one when it is started next. */
  'agent.conversation': [
    1,
    z.object({ conversation: z.string().nullable(), transcript: z.string().nullable(), evidence: Evidence }),
  ],
  'agent.stop_blocked': [1, z.object({ count: z.number() })],
  'agent.interrupted': [1, z.object({ evidence: Evidence })],
  /** Somebody began its turn with words of their own, which stand with the turn. */
  'agent.prompted': [1, z.object({})],
  /** A question of the agent's got its answer: in the words of `rein answer`, from whom, and why. */
  'agent.answered': [
    1,
    z.object({ question: Question, answer: z.string(), by: z.enum(['policy', 'rule', 'person']), why: z.string() }),
  ],
  /** A person chooses that its CLI ends, until when that is expected; null: the CLI goes on instead. */
  'agent.ending': [1, z.object({ until: z.number().nullable() })],
  /** The calls that a person is asked about while the agent goes on. */
  'agent.held': [1, z.object({ held: z.array(Question) })],
  /** All calls that are allowed for good by now. */
  'agent.allowed': [1, z.object({ allowed: z.array(AllowedCall) })],
  'agent.paused': [
    1,
    z.object({
      isPaused: z.boolean(),
      isCutOff: z.boolean().default(false),
      reason: z.string().nullable().default(null),
    }),
  ],
  'agent.model': [1, z.object({ model: AgentModel })],
  'agent.health': [1, z.object({ health: Health, reason: z.string() })],
  /** A threshold of its context was passed, and what was done about it; or it has room again. */
  'agent.context': [
    1,
    z.object({
      /** `emptied`: what was done before does not count any more. */
      step: z.enum(['warn', 'handover', 'rotate', 'emptied']),
      conversation: z.string(),
      used: z.number(),
      window: z.number(),
    }),
  ],
  'agent.foreign': [1, z.object({ conversation: z.string(), pid: z.number().nullable(), event: z.string() })],
})
