import type { z } from 'zod'
import type { Agent } from '../../contract/agent.ts'
import type { Actor } from '../../contract/identity.ts'
import type { agentRoutes, Resumed, UpInput } from '../../contract/routes/agents.ts'
import type { feedRoutes } from '../../contract/routes/feed.ts'
import type { projectRoutes } from '../../contract/routes/projects.ts'
import type { questionRoutes } from '../../contract/routes/questions.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import type { runRoutes } from '../../contract/routes/run.ts'
import { onBeat } from '../../base/util/beat.ts'
import type { Feature } from '../feature.ts'
import { context } from './context.ts'
import { feed, page } from './feed.ts'
import * as handlers from './handlers.ts'
import { agentTools } from './mcp-tools.ts'
import type { AgentFeatureNeeds, AgentParts } from './parts.ts'
import { projects } from './projects.ts'
import { questions, watchQuestions } from './questions.ts'
import * as run from './run.ts'
import { screen } from './screen.ts'
import { watch } from './watch.ts'

interface AgentsApi {
  /** `onMade`: what has to be so before the agent does anything. */
  launch: (actor: Actor, input: z.infer<typeof UpInput>, onMade?: (agent: Agent) => Promise<void>) => Promise<Agent>
  resumeOne: (actor: Actor, agent: Agent, env: Record<string, string> | undefined) => Promise<Resumed>
}

type Routes = typeof agentRoutes & typeof runRoutes & typeof feedRoutes & typeof questionRoutes & typeof projectRoutes

const ownersCheckMs = 1000

/** What people and programs do with agents: start, look at, steer and end them. */
export const agents: Feature<'agents', Routes, AgentFeatureNeeds, AgentsApi> = {
  name: 'agents',
  create: (base, all, others) => {
    let isEnding = false
    const parts: AgentParts = { ...base, ...all, others, isEnding: () => isEnding }
    return {
      handlers: handlersOf(parts),
      mcpTools: agentTools(() => handlers.ps(parts, { all: false })),
      start: () => void onBeat(ownersCheckMs, () => run.endAbandoned(parts)),
      stop: () => {
        isEnding = true
      },
      api: {
        launch: (...start) => handlers.launch(parts, ...start),
        resumeOne: (...start) => handlers.resumeOne(parts, ...start),
      },
    }
  },
}

const handlersOf = (parts: AgentParts): Handlers<Routes> => ({
  up: ({ actor, input }) => {
    void parts.others.deploy.refresh()
    return handlers.up(parts, actor, input)
  },
  ps: ({ input }) => handlers.ps(parts, input),
  watch: ({ input, signal }) => watch(parts, input, signal),
  down: ({ actor, input }) => handlers.down(parts, actor, input),
  restart: ({ actor, input }) => handlers.restart(parts, actor, input),
  resume: ({ actor, input }) => handlers.resume(parts, actor, input),
  pause: ({ actor, input }) => handlers.pause(parts, actor, input),
  unpause: ({ actor, input }) => handlers.unpause(parts, actor, input),
  answer: ({ actor, input }) => handlers.answer(parts, actor, input),
  allowAlways: ({ actor, input }) => handlers.allowAlways(parts, actor, input),
  askAgain: ({ actor, input }) => handlers.askAgain(parts, actor, input),
  interrupt: ({ actor, input }) => handlers.interrupt(parts, actor, input),
  attach: ({ input }) => handlers.attach(parts, input),
  screen: ({ input, signal }) => screen(parts, input, signal),
  context: ({ actor, input }) => context(parts, actor, input),
  logs: ({ actor, input, signal }) => handlers.logs(parts, actor, input, signal),
  feed: ({ input, signal }) => feed(parts, input, signal),
  page: ({ input, signal }) => page(parts, input, signal),
  questions: () => questions(parts),
  watchQuestions: ({ signal }) => watchQuestions(parts, signal),
  projects: () => projects(parts),
  live: ({ input, signal }) => run.live(parts, input, signal),
  prompt: ({ actor, input }) => run.prompt(parts, actor, input),
  decideRun: ({ actor, input }) => run.decideRun(parts, actor, input),
})
