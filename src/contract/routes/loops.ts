import { z } from 'zod'
import { Loop } from '../loop.ts'
import { HereInput } from './fields.ts'
import { route, type Routes } from './route.ts'

/** The loops of one agent, or of all agents of a project. */
export const LoopsInput = HereInput.extend({
  target: z.string().optional(),
  limit: z.coerce.number<number>().int().min(1).default(50),
})

export const LoopView = z.object({
  at: z.number().describe('when, milliseconds since 1970'),
  agent: z.string().describe('its handle'),
  subagent: z.string().nullable().describe('the sub-agent that did it; null for the agent itself'),
  conversation: z.string().nullable(),
  ...Loop.shape,
  seen: z.string().describe('what was seen, in words'),
  action: z
    .enum(['noted', 'asked', 'denied', 'stopped'])
    .describe('it was told; a person was asked; it was not run, for its CLI cannot ask; it was interrupted and paused'),
})
export const LoopsOutput = z.array(LoopView)

export type LoopView = z.infer<typeof LoopView>

/** Where agents went in circles. */
export const loopRoutes = {
  loops: route({
    method: 'GET',
    path: '/v1/loops',
    input: LoopsInput,
    output: LoopsOutput,
    scope: 'read',
    commands: ['rein rules loops'],
    help: 'Lists where agents went in circles, and what was done about it; newest first.',
  }),
} satisfies Routes
