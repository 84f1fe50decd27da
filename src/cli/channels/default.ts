import { routeTarget } from './text.ts'
import { showAnswer } from '../show-answer.ts'
import { type RouteFlags, toTarget } from './route.ts'

export const run = showAnswer(
  async ({ connect, cwd }, flags: RouteFlags, to?: string) =>
    connect().defaultRoute({ target: toTarget(flags, to), cwd: cwd(), allowsBypass: flags.allowBypass }),
  ({ fallback }) =>
    fallback === null
      ? 'Messages of channels without a route go to the agent that runs alone, else they are held.'
      : `Messages of channels without a route go to ${routeTarget(fallback)}.`,
)
