import { leaseTable } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { all = false }: { all?: boolean }, glob?: string) =>
    connect().leases({ cwd: cwd(), all, ...(glob === undefined ? {} : { glob }) }),
  (leases, { now, out }) => leaseTable(leases, now(), out),
)
