import { z } from 'zod'
import { Outcome } from '../command.ts'
import { longestTarget } from '../handle.ts'
import { TaskRole } from '../task.ts'
import { HereInput, time } from './fields.ts'
import { route, type Routes } from './route.ts'

export const StoryInput = HereInput.extend({
  /** A task, the handle of an agent, or a session. */
  target: z.string().min(1).max(longestTarget),
  since: z.coerce.number<number>().min(0).optional(),
})

/** `more`: several of any kind, in a story that is too long to tell all of them. */
export const storyKinds = [
  'task',
  'agent',
  'turn',
  'directive',
  'post',
  'event',
  'decision',
  'question',
  'rule',
  'lease',
  'loop',
  'move',
  'more',
] as const
export const StoryKind = z.enum(storyKinds)

export const storyTones = ['plain', 'good', 'warn', 'bad'] as const
const Tone = z.enum(storyTones)

export const StoryTurn = z.object({
  files: z.array(z.string()).describe('the first of those that it changed, as far as its calls tell'),
  fileCount: z.number(),
  commands: z
    .array(z.object({ command: z.string(), outcome: Outcome, exit: z.number().nullable() }))
    .describe('the first that it ran'),
  commandCount: z.number(),
  failedCount: z.number().describe('commands that failed'),
  allowedCount: z.number().describe('what it asked and a policy or a rule allowed'),
  reply: z.string().nullable().describe('what it said last'),
  inputTokens: z.number(),
  cacheTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable().describe('null: its CLI does not say'),
  model: z.string().nullable(),
})

export const StoryMoment = z.object({
  at: time('when it happened'),
  until: time('when it was over').nullable(),
  kind: StoryKind,
  agent: z.string().nullable().describe('the handle of the agent that it is about'),
  text: z.string().describe('what happened, on one line'),
  why: z.string().nullable(),
  tone: Tone,
  outcome: z
    .object({
      at: time('when'),
      text: z.string(),
      by: z.string().nullable().describe('who did it'),
      why: z.string().nullable(),
      tone: Tone,
    })
    .nullable()
    .describe('what became of it: a directive that was acknowledged, a blocker that was solved'),
  turn: StoryTurn.nullable(),
  count: z.number().describe('how many moments are told as this one'),
  evidence: z.array(z.string()).describe('ids of the records, directives, events and leases that tell of it'),
})

export const StoryAgent = z.object({
  handle: z.string(),
  driver: z.string().nullable(),
  role: TaskRole.nullable(),
  turns: z.number(),
  files: z.number().describe('different ones that it changed'),
  commands: z.number(),
  failed: z.number().describe('commands that failed'),
  crashes: z.number(),
  inputTokens: z.number(),
  cacheTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable(),
  workingMs: z.number(),
  idleMs: z.number(),
  waitingMs: z.number().describe('for a person, the end of a limit or of a pause'),
  downMs: z.number(),
})

export const StoryOutput = z.object({
  subject: z.object({ kind: z.enum(['task', 'agent', 'session']), name: z.string(), project: z.string() }),
  state: z.string().nullable().describe('of the task or the agent'),
  from: time('its first moment').nullable(),
  to: time('when it was over, else when it was told'),
  isCut: z.boolean().describe('the log does not reach back to its beginning'),
  foldedCount: z.number().describe('moments that are told together with others'),
  moments: z.array(StoryMoment).describe('oldest first'),
  agents: z.array(StoryAgent),
  blockers: z
    .array(z.object({ id: z.string(), from: z.string(), at: time('when'), text: z.string() }))
    .describe('those that are still open'),
})

export type StoryKind = z.infer<typeof StoryKind>
export type StoryTurn = z.infer<typeof StoryTurn>
export type StoryMoment = z.infer<typeof StoryMoment>
export type StoryAgent = z.infer<typeof StoryAgent>
export type Story = z.infer<typeof StoryOutput>

/** The story of a task, an agent or a session. */
export const storyRoutes = {
  story: route({
    method: 'GET',
    path: '/v1/story',
    input: StoryInput,
    output: StoryOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein story', 'rein demo team'],
    help: 'Tells the story of a task, an agent or a session.',
  }),
} satisfies Routes
