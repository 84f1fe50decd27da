import type { RecordType } from '../contract/record.ts'
import type { Outcome, WriteJob, Writer } from '../base/log/writer.ts'

/** Moments at which a daemon under test ends as by `kill -9`: at the nth passing (the first, if there is no `:n`). */
export const points = [
  'before_commit',
  'after_append',
  'after_ack_append',
  'after_post_append',
  'after_event_append',
  'after_decision_append',
  'before_reply',
  'after_offer',
  'before_repair',
  'in_repair',
  'before_copy',
  'in_prune',
  'in_vacuum',
] as const
type Point = (typeof points)[number]

/** The type of record whose commit is each of these points. */
const committed = {
  after_ack_append: 'directive.acked',
  after_post_append: 'chat.posted',
  after_event_append: 'event.published',
  after_decision_append: 'decision.logged',
} as const satisfies Partial<Record<Point, RecordType>>

/** Promises that a test can have broken, to see itself fail. */
export const breakages = ['answer_before_commit', 'synchronous_normal', 'hang_reading'] as const

const fault = process.env['REIN_FAULT']
const [name = '', number = '1'] = (fault ?? '').split(':')
let passingsLeft = Number(number)

/** How long after its answer a commit comes that should have come before. */
const lateMs = 200
/** Time enough for a reply to be sent while the writer stands still. */
const sendingMs = 100

export const pass = (point: Point): void => {
  if (point !== name) return
  passingsLeft -= 1
  if (passingsLeft <= 0) process.kill(process.pid, 'SIGKILL')
}

/** How surely a commit is on the disk; anything but FULL is for the test that has to lose something. */
export const durability = (): 'FULL' | 'NORMAL' => (name === 'synchronous_normal' ? 'NORMAL' : 'FULL')

/** A line that says so is never read to its end. */
export const hangAtReading = (line: string): void => {
  if (name === 'hang_reading' && line.includes('hang-here')) for (;;);
}

/** The writer as it is, or with the fault that REIN_FAULT names. */
export const withFault = (writer: Writer): Writer => {
  if (fault === undefined) return writer
  if (![...points, ...breakages].some((one) => one === name) || !Number.isInteger(passingsLeft))
    throw new Error(`REIN_FAULT is for tests; "${fault}" is none of its values.`)
  return name === 'answer_before_commit' ? tooEarly(writer) : passing(writer)
}

const passing = (writer: Writer): Writer => ({
  get commits() {
    return writer.commits
  },
  write: (jobs) => {
    if (name === 'after_offer' && appends(jobs, 'directive.offered')) letReplyGo()
    pass('before_commit')
    const outcomes = writer.write(jobs)
    pass('after_append')
    if (jobs.some(({ kind }) => kind === 'prune')) pass('in_prune')
    if (jobs.some(({ kind }) => kind === 'give_back' || kind === 'compact')) pass('in_vacuum')
    for (const [point, type] of Object.entries(committed)) if (appends(jobs, type)) pass(point as Point)
    return outcomes
  },
})

/** The offer is said by the main thread while this one has not written it down. */
const letReplyGo = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, sendingMs)
  pass('after_offer')
}

const appends = (jobs: readonly WriteJob[], type: RecordType): boolean =>
  jobs.some((job) => job.kind === 'append' && job.records.some((record) => record.type === type))

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
