import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '../support/seeded.ts'
import { RestartingDaemon } from './daemon.ts'
import { Killer } from './killer.ts'
import type { Options } from './options.ts'
import { Sending } from './senders.ts'
import type { Stage } from './stage.ts'
import type { Counts } from './tally.ts'
import { Team, type TeamOptions } from './team.ts'

const settleMs = 240_000
const standStillMs = 90_000
const faultRate = 0.5
const points = ['before_commit', 'after_append', 'after_ack_append', 'before_reply', 'after_offer']

export interface Played {
  /** Notes whose acceptance was answered for. */
  accepted: string[]
  /** When daemons were killed. */
  deaths: number[]
  counts: Counts
}

/** Directives are told, delivered and acknowledged while everything is killed again and again; then it may settle. */
export const play = async (stage: Stage, options: Options, cast: TeamOptions): Promise<Played> => {
  const { handles } = cast
  const began = Date.now()
  const daemon = new RestartingDaemon(stage.env, faults(options))
  await daemon.start()
  const team = new Team(stage, cast)
  await team.start()
  const isFull = (handle: string): boolean => team.waiting(handle) >= options.maxWaiting
  const sending = new Sending(stage, daemon, {
    count: options.directives,
    handles,
    random: seeded(options.seed),
    isFull,
  })
  const progress = (): number => sending.accepted.length / options.directives
  const killer = new Killer(daemon, team, { count: options.kills, handles, random: seeded(options.seed + 1), progress })
  await Promise.all([sending.run(), killer.run()])
  if (!options.isControl) await settle(team)
  await team.stop()
  await daemon.stop()
  const counts = {
    seconds: Math.round((Date.now() - began) / 1000),
    ...killer.counts,
    'agents started again': team.restarts,
    'tells repeated': sending.retries,
  }
  return { accepted: sending.accepted, deaths: daemon.deaths.map(({ at }) => at), counts }
}

/** Which fault the next daemon has; the first is sound, so that the agents can be started. */
const faults = ({ isControl, seed }: Options): (() => string | null) => {
  const random = seeded(seed + 2)
  let starts = 0
  return () => {
    starts += 1
    if (isControl) return 'answer_before_commit'
    if (starts === 1 || random() > faultRate) return null
    return `${points[Math.floor(random() * points.length)]}:${1 + Math.floor(random() * 12)}`
  }
}

/** Until everything has reached a model, or nothing moves any more. */
const settle = async (team: Team): Promise<void> => {
  const deadline = Date.now() + settleMs
  let [waiting, movedAt] = [team.waiting(), Date.now()]
  await delay(1_000)
  while (Date.now() < deadline && Date.now() - movedAt < standStillMs) {
    if (team.waiting() !== waiting) [waiting, movedAt] = [team.waiting(), Date.now()]
    if (waiting === 0 && Date.now() - movedAt > 2_000) return
    await delay(200)
  }
}
