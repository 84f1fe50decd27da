import { routeTarget } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { type RouteFlags, toTarget } from './route.ts'

export const run = async (
  { connect, out, cwd }: CliContext,
  flags: RouteFlags & JsonFlag,
  to?: string,
): Promise<void> => {
  const target = toTarget(flags, to)
  const listed = await connect().defaultRoute({ target, cwd: cwd(), allowsBypass: flags.allowBypass })
  if (flags.json) return out.document(listed)
  const { fallback } = listed
  out.line(
    fallback === null
      ? 'Messages of channels without a route go to the agent that runs alone, else they are held.'
      : `Messages of channels without a route go to ${routeTarget(fallback)}.`,
  )
}
