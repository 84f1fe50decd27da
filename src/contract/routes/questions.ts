import { z } from 'zod'
import { Question } from '../agent.ts'
import { AgentRef } from '../identity.ts'
import { time } from './fields.ts'
import { route, type Routes } from './route.ts'

export const OpenQuestion = z.object({
  agent: AgentRef,
  question: Question,
  since: time('when it was asked'),
  canAlways: z.boolean().describe('exactly this call can be allowed for good'),
  isHeld: z.boolean().describe('the agent goes on meanwhile: its CLI could not ask, and the call was not run'),
})
export const QuestionsOutput = z.array(OpenQuestion)
export const QuestionsLine = z.object({ questions: QuestionsOutput })

export type OpenQuestion = z.infer<typeof OpenQuestion>

/** What agents ask people. */
export const questionRoutes = {
  questions: route({
    method: 'GET',
    path: '/v1/questions',
    output: QuestionsOutput,
    scope: 'read',
    help: 'Lists everything that agents ask and nobody has answered, oldest first.',
  }),
  watchQuestions: route({
    method: 'GET',
    path: '/v1/questions/watch',
    output: QuestionsLine,
    stream: true,
    scope: 'read',
    help: 'All open questions now, and again whenever one is asked or answered.',
  }),
} satisfies Routes
