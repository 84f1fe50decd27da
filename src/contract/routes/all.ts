import { agentRoutes } from './agents.ts'
import { bundleRoutes } from './bundles.ts'
import { callRoutes } from './calls.ts'
import { channelRoutes } from './channels.ts'
import { daemonRoutes } from './daemon.ts'
import { deploymentRoutes } from './deployments.ts'
import { directiveRoutes } from './directives.ts'
import { leaseRoutes } from './leases.ts'
import { loopRoutes } from './loops.ts'
import { memoryRoutes } from './memory.ts'
import { noteRoutes } from './notes.ts'
import { replayRoutes } from './replay.ts'
import type { Routes } from './route.ts'
import { ruleRoutes } from './rules.ts'
import { runRoutes } from './run.ts'
import { sessionRoutes } from './sessions.ts'
import { storyRoutes } from './story.ts'
import { taskRoutes } from './tasks.ts'
import { teamRoutes } from './team.ts'

/** Every way to ask the daemon something. */
export const routes = {
  ...agentRoutes,
  ...runRoutes,
  ...directiveRoutes,
  ...channelRoutes,
  ...teamRoutes,
  ...taskRoutes,
  ...storyRoutes,
  ...leaseRoutes,
  ...sessionRoutes,
  ...loopRoutes,
  ...bundleRoutes,
  ...replayRoutes,
  ...memoryRoutes,
  ...noteRoutes,
  ...ruleRoutes,
  ...daemonRoutes,
  ...deploymentRoutes,
  ...callRoutes,
} satisfies Routes

export type AllRoutes = typeof routes
export type RouteName = keyof AllRoutes
