import { z } from 'zod'
import { Actor } from '../identity.ts'
import { DirectiveType, Priority, Receipt, ReceiptState } from '../directive.ts'
import { type ClientInput, flag, Target, TargetOrSelf, time } from './fields.ts'
import { route, type Routes } from './route.ts'

export const TellInput = Target.extend({
  id: z
    .string()
    .regex(/^dir_[0-9a-f-]{36}$/)
    .optional()
    .describe('chosen by the client, so that a repeated request is one directive'),
  text: z.string(),
  type: DirectiveType.default('directive'),
  priority: Priority.default('normal'),
  from: z.string().min(1).max(64),
  expiresInMs: z.number().int().positive().nullable().default(null),
})

export const TellOutput = Receipt.extend({
  project: z.string(),
  delivery: z.string().describe('when and how this agent will get it'),
})

export const InboxInput = TargetOrSelf.extend({ all: flag })
export const InboxItem = z.object({
  id: z.string(),
  handle: z.string(),
  project: z.string(),
  state: ReceiptState,
  type: z.string(),
  priority: Priority,
  from: z.string(),
  at: time('when it was accepted'),
  expiresAt: time('when it expires').nullable(),
  length: z.number().describe('characters'),
  excerpt: z.string(),
})
export const InboxOutput = z.array(InboxItem)

export const ReceiptOutput = Receipt
export const FollowInput = z.object({ until: z.enum(['placed', 'seen', 'acked', 'closed']).default('closed') })
export const ReadInput = z.object({ part: z.number().int().positive().nullable().default(null) })
export const ReadOutput = z.object({
  id: z.string(),
  parts: z.array(z.number()).describe('which parts `text` holds'),
  partCount: z.number(),
  text: z.string(),
})
export const AckInput = z.object({ note: z.string().max(10_000).optional() })

export const ReceiptsInput = Target.extend({
  lines: z.coerce.number<number>().int().min(1).max(1000).default(100).describe('so many of the newest'),
})
/** A directive with its text, as it is kept, and everything that became of it. */
export const AgentReceipt = Receipt.extend({
  project: z.string(),
  sender: Actor,
  from: z.string(),
  type: z.string(),
  priority: Priority,
  text: z.string(),
  at: time('when it was accepted'),
  expiresAt: time('when it expires').nullable(),
})
export const ReceiptsOutput = z.array(AgentReceipt)

export type AgentReceipt = z.infer<typeof AgentReceipt>
export type TellRequest = ClientInput<typeof TellInput>
export type Told = z.infer<typeof TellOutput>
export type InboxItemView = z.infer<typeof InboxItem>
export type ReadView = z.infer<typeof ReadOutput>

/** Telling agents something, and what became of it. */
export const directiveRoutes = {
  tell: route({
    method: 'POST',
    path: '/v1/directives',
    input: TellInput,
    output: TellOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein tell'],
    help: 'Tells an agent something, and answers when that is on disk.',
  }),
  inbox: route({
    method: 'GET',
    path: '/v1/directives',
    input: InboxInput,
    output: InboxOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein inbox'],
    help: 'Lists directives that are open, or all: of an agent, of a `project`, else of every agent.',
  }),
  receipts: route({
    method: 'GET',
    path: '/v1/agents/receipts',
    input: ReceiptsInput,
    output: ReceiptsOutput,
    scope: 'read',
    help: 'The newest directives of an agent with their texts and all their steps, oldest first.',
  }),
  receipt: route({
    method: 'GET',
    path: '/v1/directives/:id',
    output: ReceiptOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein receipt'],
    help: 'Tells what became of a directive.',
  }),
  follow: route({
    method: 'GET',
    path: '/v1/directives/:id/follow',
    input: FollowInput,
    output: ReceiptOutput,
    stream: true,
    scope: 'read',
    agentMay: true,
    help: 'The receipt now, and again at every step, until it has come that far.',
  }),
  read: route({
    method: 'POST',
    path: '/v1/directives/:id/read',
    input: ReadInput,
    output: ReadOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein inbox read'],
    help: 'Gives the text of a directive; an agent that reads its own has got it.',
  }),
  ack: route({
    method: 'POST',
    path: '/v1/directives/:id/ack',
    input: AckInput,
    output: ReceiptOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein ack'],
    help: 'Acknowledges a directive.',
  }),
  cancel: route({
    method: 'POST',
    path: '/v1/directives/:id/cancel',
    output: ReceiptOutput,
    scope: 'tell',
    commands: ['rein cancel'],
    help: 'Takes back a directive.',
  }),
} satisfies Routes
