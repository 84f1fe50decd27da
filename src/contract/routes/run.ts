import { z } from 'zod'
import { LiveEvent } from '../live.ts'
import { RunDecision } from '../run.ts'
import { AgentOutput } from './agents.ts'
import { flag, Target } from './fields.ts'
import { route, type Routes } from './route.ts'

/** `owns`: the agent is to end with this reader, whatever ends that. */
export const LiveInput = Target.extend({ owns: flag })
export const PromptInput = Target.extend({ text: z.string().min(1) })
export const DecideRunInput = Target.extend({ decision: RunDecision })

/** Looking at agents as they work, and prompting them. */
export const runRoutes = {
  live: route({
    method: 'GET',
    path: '/v1/agents/live',
    input: LiveInput,
    output: LiveEvent,
    stream: true,
    scope: 'control',
    help: 'An agent as it works, its state first; `owns` ends it with this reader.',
  }),
  prompt: route({
    method: 'POST',
    path: '/v1/agents/prompt',
    input: PromptInput,
    output: AgentOutput,
    scope: 'tell',
    help: 'Prompts an idle agent that has no terminal.',
  }),
  decideRun: route({
    method: 'POST',
    path: '/v1/agents/run',
    input: DecideRunInput,
    output: AgentOutput,
    scope: 'control',
    limitMs: 60_000,
    help: 'Writes down what a run does next, then does it.',
  }),
} satisfies Routes
