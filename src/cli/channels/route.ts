import { ReinError } from '../../contract/errors.ts'
import { routeTarget } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export interface RouteFlags {
  none?: boolean
  allowBypass?: boolean
}

export const run = showAnswer(
  async ({ connect, cwd }, flags: RouteFlags, name: string, to?: string) =>
    connect().routeChannel({ name, target: toTarget(flags, to), cwd: cwd(), allowsBypass: flags.allowBypass }),
  ({ name, route, held, reason }) => {
    const waits = held === 0 ? '' : ` ${held} still held (${reason}).`
    return route === null ? `${name} has no route.${waits}` : `Messages of ${name} go to ${routeTarget(route)}.${waits}`
  },
)

/** Null stands for nobody, which has to be said with `--none`. */
export const toTarget = ({ none }: RouteFlags, to: string | undefined): string | null => {
  if ((none === true) === (to === undefined)) return to ?? null
  throw new ReinError('usage', 'Name an agent or a room, or give --none.')
}
