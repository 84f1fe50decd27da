import type { ChannelView } from '../../contract/routes/channels.ts'
import { ReinError } from '../../contract/errors.ts'
import { routeTarget } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export interface RouteFlags {
  none?: boolean
  allowBypass?: boolean
}

export const run = async (
  { connect, out, cwd }: CliContext,
  flags: RouteFlags & JsonFlag,
  name: string,
  to?: string,
): Promise<void> => {
  const target = toTarget(flags, to)
  const routed = await connect().routeChannel({ name, target, cwd: cwd(), allowsBypass: flags.allowBypass })
  if (flags.json) out.document(routed)
  else out.line(routeText(routed))
}

/** Either somebody or some room is named, or nobody is meant. */
export const toTarget = ({ none }: RouteFlags, to: string | undefined): string | null => {
  if ((none === true) === (to === undefined)) return to ?? null
  throw new ReinError('usage', 'Name an agent or a room, or give --none.')
}

const routeText = ({ name, route, held, reason }: ChannelView): string => {
  const waits = held === 0 ? '' : ` ${held} still held (${reason}).`
  return route === null ? `${name} has no route.${waits}` : `Messages of ${name} go to ${routeTarget(route)}.${waits}`
}
