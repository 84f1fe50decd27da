/** What the scripted model received. */
import type { SimRequest } from '../../src/sim/recorder.ts'
import { shownIn, type TestRein } from '../e2e/harness.ts'

/** The request that the model answers with these steps: what it has in front of it then. */
export const requestBefore = ({ sim }: TestRein, reply: string): Promise<SimRequest> =>
  sim.next((request) => request.isMain && request.reply.startsWith(reply))

/** How often a directive stands in the request that holds it most often. */
export const mostShown = ({ sim }: TestRein, id: string): number =>
  Math.max(...sim.requests.map((request) => shownIn(request, id)))
