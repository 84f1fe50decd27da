import type { LiveEvent } from '../../contract/live.ts'
import type { RunDecision } from '../../contract/run.ts'
import type { Output } from '../output.ts'
import type { RunView } from './run.ts'

/** One object a line, as things happen. */
export const jsonView = (out: Output): RunView => ({
  event: (event: LiveEvent) => out.record(event),
  decided: ({ action, reason, turns, costUsd }: RunDecision) =>
    out.record({ kind: 'decision', action, reason, turns, costUsd }),
  checking: (command: string) => out.record({ kind: 'check', command }),
})
