import { leasesText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { ttl }: { ttl?: number }, lease: string) =>
    connect().renewLease({ cwd: cwd(), lease, ...(ttl === undefined ? {} : { ttlMs: ttl }) }),
  (renewed, { now, out }) => leasesText(renewed, now(), out),
)
