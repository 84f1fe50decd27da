import { leasesText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { for: ttlMs }: { for?: number }, lease: string) =>
    connect().renewLease({ cwd: cwd(), lease, ...(ttlMs === undefined ? {} : { ttlMs }) }),
  (renewed, { now, out }) => leasesText(renewed, now(), out),
)
