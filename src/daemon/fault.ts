import type { Outcome, WriteJob, Writer } from '../log/writer.ts'

/** How long after its answer a commit comes that should have come before. */
const lateMs = 200

/**
 * For the tests of durability alone: makes the writer go wrong in the way that REIN_FAULT names, so that they can be
 * seen to fail. `answer_before_commit` breaks the promise; `kill_before_commit:N` and `kill_after_commit:N` end the
 * process at its Nth commit.
 */
export const withFault = (writer: Writer, fault = process.env['REIN_FAULT']): Writer => {
  if (fault === undefined) return writer
  const [, point, number] = /^kill_(before|after)_commit:(\d+)$/.exec(fault) ?? []
  if (point !== undefined) return killedAt(writer, point === 'before', Number(number))
  if (fault === 'answer_before_commit') return tooEarly(writer)
  throw new Error(`REIN_FAULT is for tests; "${fault}" is none of its values.`)
}

const killedAt = (writer: Writer, isBefore: boolean, commit: number): Writer => {
  const killIf = (isTime: boolean): void => {
    if (isTime && writer.commits + (isBefore ? 1 : 0) >= commit) process.kill(process.pid, 'SIGKILL')
  }
  return {
    get commits() {
      return writer.commits
    },
    write: (jobs) => {
      killIf(isBefore)
      const outcomes = writer.write(jobs)
      killIf(!isBefore)
      return outcomes
    },
  }
}

const tooEarly = (writer: Writer): Writer => ({
  get commits() {
    return writer.commits
  },
  write: (jobs) => {
    setTimeout(() => writer.write(jobs), lateMs)
    return jobs.map(pretend)
  },
})

const pretend = (job: WriteJob): Outcome => {
  const appended = job.kind === 'append' ? job.records.map(() => ({ seq: 0, isNew: true })) : []
  return { ok: true, result: { appended, count: appended.length } }
}
