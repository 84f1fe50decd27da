import type { ProcessRef } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Host, HostedAgent, HostEvent } from '../../contract/host.ts'
import { isGone } from '../../base/util/process.ts'
import { releaseOrphans, waiterState, wakeThroughWaiter, watchWaiters } from '../wake/waiters.ts'
import { watchProcess } from './end-process.ts'

/** An agent that somebody started by hand: heard through its hooks, never typed to, never ended. */
export const outsideHost = (waiters: string): Host => ({
  kind: 'outside',
  start: () => Promise.reject(new ReinError('unsupported_option', 'Rein starts no agents outside its own hosts.')),
  adopt: (_, process, on) => {
    releaseOrphans(waiters)
    return Promise.resolve(isGone(process.pid, process.startTime) ? null : hosted(process, waiters, on))
  },
})

const hosted = (process: ProcessRef, waiters: string, on: (event: HostEvent) => void): HostedAgent => {
  const stops = [
    watchProcess(process, () =>
      on({ kind: 'exit', code: 0, signal: null, evidence: { source: 'process', detail: 'the process has ended' } }),
    ),
    watchWaiters(waiters, process, () => on({ kind: 'waiter_died' })),
  ]
  return {
    process,
    prompt: () => refuse('no_waiter'),
    wakeWaiter: () => wakeThroughWaiter(waiters, process),
    waiter: () => waiterState(waiters, process),
    interrupt: () => refuse('It runs in a terminal of its own.', 'Press its key there.'),
    answer: () => refuse('It asks in a terminal of its own.', 'Answer it there.'),
    readScreen: () => '',
    stop: () => refuse('Rein did not start it.', 'End it in its own terminal.'),
    release: () => {
      for (const stop of stops) stop()
    },
  }
}

const refuse = (what: string, hint?: string): Promise<never> => Promise.reject(new ReinError('refused', what, hint))
