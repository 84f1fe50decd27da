import { tailTopic } from '../base/tail-topic.ts'
import type { AllRoutes } from '../contract/routes/all.ts'
import type { Handlers } from '../contract/routes/route.ts'
import { databaseChecks } from './database-checks.ts'
import { type DaemonParts, rebuild, status } from './status.ts'
import { webChecks } from './web-checks.ts'

/** These look at more of a request than its card says. */
type BoundByHand = 'hello' | 'receive'

export type AllHandlers = Handlers<Omit<AllRoutes, BoundByHand>>

/** The handler of each route; one that is missing or does not fit its card is a type error. */
export const handlersOf = (parts: DaemonParts, stop: () => void): AllHandlers => ({
  ...parts.features.handlers,
  status: () => status(parts),
  stop: () => {
    setImmediate(stop)
    return { stopped: true, pid: process.pid, killed: false }
  },
  rebuild: () => rebuild(parts),
  doctor: ({ input, signal }) =>
    parts.features.apis.deploy.doctor({ ...input, signal }, [...databaseChecks(parts), ...webChecks(parts)]),
  tail: ({ params, input, signal }) => tailTopic(parts.base.log, params.topic, input, signal),
})
