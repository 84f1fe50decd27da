import { createHash } from 'node:crypto'
import { Cron } from 'croner'
import { z } from 'zod'
import { createAdapter } from './sdk/adapter.ts'
import { messageOf } from './sdk/retry.ts'
import { channelNamed } from './config.ts'
import type { AdapterKind } from './kind.ts'
import { offer } from './offer.ts'
import { stateFile } from './state.ts'

/** So that a machine that was asleep is found out soon after: its timers slept, too. */
const longestWaitMs = 60_000
/** A run that comes later than this was missed. */
const punctualMs = 2 * longestWaitMs

const Job = z
  .strictObject({
    cron: z.string(),
    timezone: z.string().default(() => Intl.DateTimeFormat().resolvedOptions().timeZone),
    text: z.string().trim().min(1),
    missed: z.enum(['run', 'skip']).default('run'),
  })
  .superRefine((job, context) => {
    for (const [field, message] of problemsOf(job)) context.addIssue({ code: 'custom', path: [field], message })
  })
type Job = z.infer<typeof Job>

const Config = z.strictObject({ channel: channelNamed('timer'), jobs: z.array(Job).min(1) })

const problemsOf = ({ cron, timezone }: Pick<Job, 'cron' | 'timezone'>): ['cron' | 'timezone', string][] => {
  if (!isZone(timezone)) return [['timezone', `${JSON.stringify(timezone)} is no time zone, like Europe/Paris`]]
  try {
    const schedule = scheduleOf({ cron, timezone })
    const comes = schedule.nextRun() !== null || schedule.previousRuns(1).length > 0
    return comes ? [] : [['cron', `${JSON.stringify(cron)} never comes`]]
  } catch (cause) {
    return [['cron', messageOf(cause)]]
  }
}

const isZone = (timeZone: string): boolean => {
  try {
    return Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch {
    return false
  }
}

/** It only reckons: without a function nothing is started. */
export const scheduleOf = ({ cron, timezone }: Pick<Job, 'cron' | 'timezone'>): Cron =>
  new Cron(cron, { timezone, paused: true })

/** The run that is due: the latest one, which makes up for all between it and the last. */
export const dueRun = (schedule: Cron, last: number, now: number): number | null => {
  // It reckons in whole seconds, and looks for what is before the one it is given.
  const at = schedule.previousRuns(1, new Date(now + 1000))[0]?.getTime()
  return at === undefined || at <= last ? null : at
}

/** Says something at given times. */
export const timer: AdapterKind<typeof Config> = {
  config: Config,
  start: async ({ channel, jobs }, { daemon, state, now, wait, log }) => {
    const adapter = await createAdapter({ channel, log }, daemon)
    const file = stateFile<Record<string, number>>(state, 'timer', channel)
    const before = await file.read()
    // A job that is changed is another job.
    const planned = jobs.map((job) => ({
      ...job,
      id: createHash('sha256').update([job.cron, job.timezone, job.text].join('\0')).digest('hex').slice(0, 16),
      schedule: scheduleOf(job),
    }))
    const lastRuns = Object.fromEntries(planned.map(({ id }) => [id, before[id] ?? now()]))

    const runIfDue = async ({ id, schedule, text, missed }: (typeof planned)[number]): Promise<void> => {
      // A clock that was set back must not silence the job until it is there again.
      const last = Math.min(lastRuns[id] ?? 0, now())
      const at = dueRun(schedule, last, now())
      const isWanted = at !== null && (missed === 'run' || now() - at <= punctualMs)
      if (isWanted) {
        const due = new Date(at).toISOString()
        const result = await offer(adapter, text, { key: `${id}@${due}`, claimedAt: at, meta: { due } })
        if (result.state === 'ending') return
        if (result.state === 'refused') log(`The run of ${due} was refused: ${result.reason}`)
      }
      lastRuns[id] = at ?? last
      if (at !== null) await file.write(lastRuns)
    }

    adapter.run(async (signal) => {
      await file.write(lastRuns)
      while (!signal.aborted) {
        for (const job of planned) await runIfDue(job)
        const at = now()
        const next = planned.map(({ schedule }) => schedule.nextRun(new Date(at))?.getTime() ?? Infinity)
        await wait(Math.min(Math.max(0, Math.min(...next) - at), longestWaitMs), signal)
      }
    })
    return adapter
  },
}
