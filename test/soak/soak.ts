import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { v4 as uuid } from 'uuid'
import { hasTerminal, isAlive } from '../../src/contract/agent.ts'
import type { AnyRecord } from '../../src/contract/record.ts'
import { type Sim, startSim } from '../../src/sim/server.ts'
import { processStartTime } from '../../src/base/util/process.ts'
import { takeAccount } from '../campaign/account.ts'
import { accountOfRequests, scenario } from '../campaign/claude.ts'
import { RestartingDaemon } from '../campaign/daemon.ts'
import { readReceipts } from '../campaign/receipts.ts'
import { Sending } from '../campaign/senders.ts'
import { createStage, type Stage, whenBrokenOff } from '../campaign/stage.ts'
import { count, type Counts, type Tally } from '../campaign/tally.ts'
import { directiveOf, noteText } from '../campaign/truth.ts'
import { seeded } from '../support/seeded.ts'
import { type Cast, createCast, impatience, writeProgram } from './cast.ts'
import { misbehave } from './controls.ts'
import { Crew, type Member } from './crew.ts'
import { DoubleWatch } from './doubles.ts'
import { Gauge, type Gauged } from './gauge.ts'
import type { Options } from './options.ts'
import { type Found, processesUnder } from './processes.ts'
import { countEverything, judge } from './result.ts'
import { killsOfDaemon, Trouble } from './trouble.ts'

/** Which part of the time: everything is killed; the last daemon warms up; it is watched. */
const parts = { kills: 0.35, warmUp: 0.25, watched: 0.4 }
/** How often the daemon is measured while it is watched. */
const looks = 5
const standIns = { everyMs: 1_500, most: 30 }
const realOnes = { everyMs: 5_000, most: 5 }
const standStillMs = 30_000
const settleMs = 120_000
const settledForMs = 1_500
const leftoverMs = 10_000
/** Longer than anybody keeps a connection that is not used. */
const gaugeMs = 4_000

/** Agents that work for a long time while they, and all they depend on, are killed at random. */
export const soak = async (options: Options): Promise<Tally> => {
  const sim = await startSim({ scenario })
  const root = mkdtempSync(join(tmpdir(), 'rein-soak-'))
  const stage = createStage(writeProgram(root, options.standIn), root)
  whenBrokenOff(stage.close)
  try {
    const cast = await createCast(stage, options, sim)
    const played = await new Soak(stage, options, cast).run()
    const counts = { ...countEverything(options, played), ...(await countDirectives(stage, cast, sim, played)) }
    const mode = `${options.agents} stand-in agents, ${options.real} real Claude Code in ${options.host}, ${options.minutes} min`
    return { mode, seed: options.seed, counts, failures: judge(counts, options) }
  } finally {
    stage.close()
    await sim.close()
  }
}

/** What was seen while it was played, and at its end. */
export interface Played {
  trouble: Trouble
  accepted: { standIns: string[]; real: string[] }
  doubles: DoubleWatch
  /** When daemons were killed. */
  deaths: number[]
  /** One after the other, of the same daemon. */
  gauged: Gauged[]
  /** What the log says of the agents. */
  records: AnyRecord[]
  /** The ids of the agents that run in terminals. */
  inTerminals: Set<string>
  notRunning: string[]
  stopMs: number
  leftovers: Found[]
}

const countDirectives = async (stage: Stage, cast: Cast, sim: Sim, played: Played): Promise<Counts> => {
  const receipts = readReceipts(stage.paths)
  const { standIns: headless, real } = played.accepted
  const [kept, asked] = [headless, real].map((notes) => only(receipts, new Set(notes))) as [Receipts, Receipts]
  const first = count(headless, kept, takeAccount(cast.truths, kept, played.deaths))
  if (real.length === 0) return first
  const second = count(real, asked, await accountOfRequests(sim.requests, asked, cast.projects))
  const names = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries([...names].map((name) => [name, (first[name] ?? 0) + (second[name] ?? 0)]))
}

type Receipts = ReturnType<typeof readReceipts>

const only = (receipts: Receipts, notes: Set<string>): Receipts =>
  new Map([...receipts].filter(([note]) => notes.has(note)))

class Soak {
  readonly #daemon: RestartingDaemon
  readonly #crew: Crew
  readonly #trouble: Trouble
  readonly #gauge: Gauge
  readonly #random: () => number
  readonly #toldAt = new Map<string, number>()
  #isQuiet = false

  constructor(
    readonly stage: Stage,
    readonly options: Options,
    readonly cast: Cast,
  ) {
    const { standIn, seed } = options
    this.#random = seeded(seed)
    this.#gauge = new Gauge(stage)
    this.#daemon = new RestartingDaemon({ ...stage.env, ...impatience, ...this.#gauge.env }, () => null)
    this.#crew = new Crew(stage, this.#daemon, [...cast.standIns, ...cast.real])
    const around = { stage, daemon: this.#daemon, crew: this.#crew, standIn }
    this.#trouble = new Trouble({ ...around, random: seeded(seed + 1) })
  }

  async run(): Promise<Played> {
    await this.#daemon.start()
    await this.#crew.start()
    const doubles = new DoubleWatch(this.stage.root, this.options.standIn)
    const headless = this.#sending(this.cast.standIns, standIns)
    const real = this.#sending(this.cast.real, realOnes)
    const telling = Promise.all([headless.run(), real.run()])
    const gauged = await this.#play()
    headless.stop()
    real.stop()
    await telling
    await this.#settle()
    const deaths = this.#daemon.deaths.map(({ at }) => at)
    const accepted = { standIns: headless.accepted, real: real.accepted }
    const end = await this.#end(doubles)
    return { trouble: this.#trouble, accepted, doubles, deaths, gauged, ...end }
  }

  /** At all looks at the daemon it is the same one. */
  async #play(): Promise<Gauged[]> {
    await this.#trouble.run(this.#after(parts.kills))
    await this.#trouble.run(this.#after(parts.warmUp), [killsOfDaemon])
    const gauged = [await this.#measure()]
    const behave = await misbehave(this.options.control, this.stage, this.#crew)
    while (gauged.length < looks) {
      await this.#trouble.run(this.#after(parts.watched / (looks - 1)), [killsOfDaemon])
      gauged.push(await this.#measure())
    }
    behave()
    return gauged
  }

  #after(part: number): () => boolean {
    const until = Date.now() + part * this.options.minutes * 60_000
    return () => Date.now() >= until
  }

  /** Always in the same situation: nothing is on its way, and every agent has had one turn in a new conversation. */
  async #measure(): Promise<Gauged> {
    this.#isQuiet = true
    await this.#settle()
    for (const handle of this.#crew.handles) await this.#trouble.renew(handle)
    for (const handle of this.#crew.handles) await this.#greet(handle)
    await this.#settle()
    this.#crew.isResting = true
    const found = await this.#gauge.read(this.#daemon.pid, gaugeMs)
    this.#crew.isResting = false
    this.#isQuiet = false
    return found
  }

  async #greet(target: string): Promise<void> {
    const note = uuid()
    const words = { id: directiveOf(note), text: noteText(note), from: 'soak' }
    await this.stage.client.tell({ target, cwd: this.stage.cwd, ...words })
  }

  /** Until everything has reached a model, or nothing moves any more. */
  async #settle(): Promise<void> {
    const began = Date.now()
    let [waiting, movedAt] = [-1, Date.now()]
    while (Date.now() - began < settleMs && Date.now() - movedAt < standStillMs) {
      if (this.#crew.waiting() !== waiting) [waiting, movedAt] = [this.#crew.waiting(), Date.now()]
      if (waiting === 0 && Date.now() - movedAt > settledForMs) return
      await delay(200)
    }
  }

  #sending(members: readonly Member[], { everyMs, most }: typeof standIns): Sending {
    const handles = members.map(({ handle }) => handle)
    const isFull = (handle: string): boolean => {
      const isEarly = Date.now() - (this.#toldAt.get(handle) ?? 0) < everyMs
      if (this.#isQuiet || isEarly || this.#crew.waiting(handle) >= most) return true
      this.#toldAt.set(handle, Date.now())
      return false
    }
    const wanted = handles.length === 0 ? 0 : Number.POSITIVE_INFINITY
    return new Sending(this.stage, this.#daemon, { count: wanted, handles, random: this.#random, isFull })
  }

  async #end(doubles: DoubleWatch): Promise<Omit<Played, 'trouble' | 'accepted' | 'doubles' | 'deaths' | 'gauged'>> {
    const { client, cwd } = this.stage
    await this.#crew.look()
    const notRunning = this.#crew.views
      .filter((view) => !isRunning(view))
      .map(({ handle, state }) => `${handle} ${state}`)
    const records: AnyRecord[] = []
    for await (const record of client.tail({ topic: 'agents', after: 0 })) records.push(record)
    await doubles.stop()
    for (const { handle, state } of this.#crew.views) if (isAlive(state)) await client.down({ target: handle, cwd })
    await this.#crew.stop()
    const began = Date.now()
    await this.#daemon.stop('SIGTERM')
    const stopMs = Date.now() - began
    return { records, inTerminals: terminalsIn(records), notRunning, stopMs, leftovers: await this.#leftovers() }
  }

  async #leftovers(): Promise<Found[]> {
    const { root } = this.stage
    const began = Date.now()
    let left = processesUnder(root, this.options.standIn)
    while (left.length > 0 && Date.now() - began < leftoverMs) {
      await delay(100)
      left = processesUnder(root, this.options.standIn)
    }
    return left
  }
}

const terminalsIn = (records: readonly AnyRecord[]): Set<string> =>
  new Set(
    records.flatMap((one) => (one.type === 'agent.launched' && hasTerminal(one.body.host) ? [one.agent ?? ''] : [])),
  )

const isRunning = ({ state, pid, isPaused }: Crew['views'][number]): boolean =>
  isAlive(state) && !isPaused && pid !== null && processStartTime(pid) !== null
