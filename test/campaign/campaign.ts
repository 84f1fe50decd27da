import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '../seeded.ts'
import { takeAccount } from './account.ts'
import { RestartingDaemon } from './daemon.ts'
import { Killer } from './killer.ts'
import type { Options } from './options.ts'
import { readReceipts } from './receipts.ts'
import { Sending } from './senders.ts'
import { createStage, type Env, type Stage, writeStandIn } from './stage.ts'
import { count, judge, type Tally } from './tally.ts'
import { Team } from './team.ts'

/** What lies in an inbox is safe on disk; the fewer, the more of them are on their way when a kill comes. */
const maxWaiting = 60
const settleMs = 240_000
const standStillMs = 90_000
const faultRate = 0.25
const points = ['before_commit', 'after_append', 'after_ack_append', 'before_reply', 'after_offer']

/** What a kind of agent needs, and how what its model got is found out afterwards. */
export interface Cast {
  handles: string[]
  envOf(handle: string): Env
  prompt(): string
  tell(stage: Stage): string[]
}

/** Directives are told, delivered and acknowledged while everything is killed again and again; then all is counted. */
export const runStandIns = async (options: Options): Promise<Tally> => {
  const root = mkdtempSync(join(tmpdir(), 'rein-campaign-'))
  const stage = createStage(writeStandIn(root, options.standIn), root)
  const truths = join(root, 'truth')
  mkdirSync(truths)
  const handles = Array.from({ length: options.agents }, (_, n) => `agent-${n + 1}`)
  const fileOf = (handle: string): string => join(truths, `${handle}.jsonl`)
  let launches = 0
  const envOf = (handle: string): Env => {
    launches += 1
    return { ...stage.env, CAMPAIGN_TRUTH: fileOf(handle), CAMPAIGN_SEED: String(options.seed * 10_000 + launches) }
  }
  try {
    const played = await play(stage, options, { handles, envOf, prompt: () => 'Go on.' })
    const receipts = readReceipts(stage.paths)
    const account = takeAccount(handles.map(fileOf), receipts, played.deaths)
    const counts = { ...played.counts, ...count(played.accepted, receipts, account) }
    const mode = options.isControl ? 'stand-in agents, answered before the commit' : 'stand-in agents'
    return { mode, seed: options.seed, counts, failures: judge(counts, options.isControl) }
  } finally {
    stage.close()
  }
}

export interface Played {
  accepted: string[]
  deaths: number[]
  counts: Record<string, number>
}

export const play = async (stage: Stage, options: Options, cast: Omit<Cast, 'tell'>): Promise<Played> => {
  const random = seeded(options.seed)
  const began = Date.now()
  const daemon = new RestartingDaemon(stage.env, faults(options, seeded(options.seed + 1)))
  await daemon.start()
  const team = new Team(stage, cast)
  await team.start()
  const isFull = (handle: string): boolean => team.waiting(handle) >= maxWaiting
  const sending = new Sending(stage, daemon, { count: options.directives, handles: cast.handles, random, isFull })
  const progress = (): number => sending.accepted.length / options.directives
  const killer = new Killer(daemon, team, { count: options.kills, handles: cast.handles, random: seeded(options.seed + 2), progress })
  await Promise.all([sending.run(), killer.run()])
  if (!options.isControl) await settle(team)
  await team.stop()
  await daemon.stop()
  const { hook, agent } = killer.kills
  const byPoint = daemon.deaths.filter(({ point }) => point !== null).length
  return {
    accepted: sending.accepted,
    deaths: daemon.deaths.map(({ at }) => at),
    counts: {
      seconds: Math.round((Date.now() - began) / 1000),
      'kills in all': killer.total,
      'kills of the daemon': daemon.deaths.length,
      '… at a fault point': byPoint,
      'kills of a hook client': hook,
      'kills of an agent': agent,
      'agents started again': team.restarts,
      'tells repeated': sending.retries,
    },
  }
}

/** The first daemon is sound, so that the agents can be started. */
const faults = ({ isControl }: Options, random: () => number): (() => string | null) => {
  let starts = 0
  return () => {
    starts += 1
    if (isControl) return 'answer_before_commit'
    if (starts === 1 || random() > faultRate) return null
    return `${points[Math.floor(random() * points.length)]}:${1 + Math.floor(random() * 40)}`
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
