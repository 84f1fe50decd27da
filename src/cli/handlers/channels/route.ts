import type { ChannelView } from '../../../contract/api-types.ts'
import { ReinError } from '../../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../../context.ts'

export interface RouteFlags {
  none?: boolean
  allowBypass?: boolean
}

export const run = async (
  { connect, out, cwd }: CliContext,
  flags: RouteFlags & JsonFlag,
  name: string,
  handle?: string,
): Promise<void> => {
  const target = toTarget(flags, handle)
  const routed = await connect().routeChannel(name, { target, cwd: cwd(), allowsBypass: flags.allowBypass })
  if (flags.json) out.document(routed)
  else out.line(routeText(routed))
}

/** Either somebody is named, or nobody is meant. */
export const toTarget = ({ none }: RouteFlags, handle: string | undefined): string | null => {
  if ((none === true) === (handle === undefined)) return handle ?? null
  throw new ReinError('usage', 'Name an agent, or give --none.')
}

const routeText = ({ name, route, held, reason }: ChannelView): string => {
  const waits = held === 0 ? '' : ` ${held} still held (${reason}).`
  return route === null ? `${name} has no route.${waits}` : `Messages of ${name} go to ${route.handle}.${waits}`
}
