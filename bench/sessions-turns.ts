import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Sim, startSim } from '../src/sim/server.ts'
import { actingAs, type Box } from '../test/process/harness.ts'
import { seeded } from '../test/support/seeded.ts'
import { withBox } from './box.ts'
import { type Findings, interleave, median, ms, percentile, timed } from './measure.ts'
import { claudePath } from './real-agents.ts'
import { PromptedAgent } from './sessions-agent.ts'

const fileCount = 2000
const toolsInTurn = 3
const rounds = 25
const hookRounds = 60
/** Stands for the time that a model takes for its answer. */
const thinkingMs = 300
/** Whatever the turn before has left to do is done. */
const calmMs = 150

type Way = 'off' | 'on'
type Model = 'atOnce' | 'thinking'
type Taken = Record<Way, number[]>

/** How long a turn of a real Claude Code takes with snapshots, and without. */
export const turnTimes = (): Promise<Omit<Findings, 'head'>> =>
  withAgent('off', (off) =>
    withAgent('on', async (on) => {
      const inTurn = async (one: (agent: Working) => Promise<number>, count: number): Promise<Taken> => {
        const variants = { off: () => one(off), on: () => one(on) }
        await interleave(variants, 3)
        return interleave(variants, count)
      }
      const turns = {
        atOnce: await inTurn((agent) => agent.turn('atOnce'), rounds),
        thinking: await inTurn((agent) => agent.turn('thinking'), rounds),
      }
      const hooks = {
        atOnce: await inTurn((agent) => agent.hooks(0), hookRounds),
        thinking: await inTurn((agent) => agent.hooks(thinkingMs), hookRounds / 2),
      }
      return toFindings(turns, hooks, await on.snapshotTimes())
    }),
  )

const withAgent = <T>(way: Way, use: (agent: Working) => Promise<T>): Promise<T> =>
  withBox(
    async (box) => {
      fillRepository(box.cwd)
      const sim = await startSim({})
      const agent = await PromptedAgent.start(box, sim)
      try {
        return await use(new Working(box, sim, agent, way === 'on'))
      } finally {
        await agent.end()
        await sim.close()
      }
    },
    { REIN_CLAUDE_PATH: claudePath, REIN_SESSIONS_ENABLED: String(way === 'on') },
  )

/** A repository of source files, all of them committed. */
const fillRepository = (cwd: string): void => {
  const random = seeded(1)
  const line = (_: unknown, n: number): string => `export const value${n} = ${random()}\n`
  for (let n = 0; n < fileCount; n += 1) {
    const file = join(cwd, `src/part-${n % 40}/module-${n % 8}/file-${n}.ts`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, Array.from({ length: 40 }, line).join(''))
  }
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', ...args], { cwd })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'all')
}

/** An agent in a repository, each turn of which changes some files. */
class Working {
  readonly #box: Box
  readonly #sim: Sim
  readonly #agent: PromptedAgent
  readonly #hasSnapshots: boolean
  #turns = 0
  #stops = 0

  constructor(box: Box, sim: Sim, agent: PromptedAgent, hasSnapshots: boolean) {
    this.#box = box
    this.#sim = sim
    this.#agent = agent
    this.#hasSnapshots = hasSnapshots
  }

  /** The whole turn. */
  async turn(model: Model): Promise<number> {
    this.#turns += 1
    const prompt = this.#script(model)
    await delay(calmMs)
    const taken = await this.#agent.say(prompt)
    await this.#settled()
    return taken
  }

  /** Its hooks alone, called as Claude Code calls them: their time is all that the agent waits for Rein. */
  async hooks(pauseMs: number): Promise<number> {
    this.#turns += 1
    await delay(calmMs)
    const call = await this.#caller()
    let taken = await call('UserPromptSubmit', { prompt: `Turn ${this.#turns}` })
    for (let n = 0; n < toolsInTurn; n += 1) {
      await delay(pauseMs)
      const tool = { tool_name: 'Bash', tool_input: { command: 'true' }, tool_use_id: `toolu_${this.#turns}_${n}` }
      taken += await call('PreToolUse', tool)
      appendFileSync(join(this.#box.cwd, `src/part-${n}/changed.txt`), `${this.#turns}\n`)
      taken += await call('PostToolBatch', { tool_calls: [{ ...tool, tool_response: 'ok' }] })
    }
    await delay(pauseMs)
    taken += await call('Stop', { stop_hook_active: false, last_assistant_message: 'done' })
    await this.#settled()
    return taken
  }

  /** From the hook that a snapshot was taken for to its record. */
  async snapshotTimes(): Promise<number[]> {
    const taken: number[] = []
    for await (const { type, at, body } of this.#box.client().tail({ topic: 'sessions', after: 0 }))
      if (type === 'session.snapshot') taken.push(at - body.at)
    return taken
  }

  async #caller(): Promise<(event: string, more: object) => Promise<number>> {
    const { port } = this.#box.registered() ?? { port: 0 }
    const { REIN_TOKEN: token } = actingAs(this.#box, 'worker')
    const [agent] = await this.#box.client().ps({})
    const about = { session_id: agent?.conversation, cwd: this.#box.cwd, permission_mode: 'bypassPermissions' }
    return (event, more) => {
      const body = JSON.stringify({ ...about, hook_event_name: event, ...more })
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const url = `http://127.0.0.1:${port}/v1/hooks/claude/${event}`
      return timed(async () => (await fetch(url, { method: 'POST', headers, body })).arrayBuffer())
    }
  }

  /** Each tool changes a file. */
  #script(model: Model): string {
    const tools = Array.from({ length: toolsInTurn }, (_, n) => `RUN:echo ${this.#turns} >> src/part-${n}/changed.txt`)
    const steps = [...tools, 'SAY:done']
    return steps.map((step, n) => (model === 'atOnce' ? step : `${this.#pause(n)} ;; ${step}`)).join(' ;; ')
  }

  #pause(step: number): string {
    const name = `turn-${this.#turns}-${step}`
    void this.#sim
      .reached(name)
      .then(() => delay(thinkingMs))
      .then(() => this.#sim.release(name))
    return `WAIT:${name}`
  }

  /** The last snapshot of a turn is taken when its agent has stopped. */
  async #settled(): Promise<void> {
    this.#stops += 1
    if (!this.#hasSnapshots) return
    let stops = 0
    for await (const one of this.#box.client().tail({ topic: 'sessions', after: 0, follow: true })) {
      if (one.type === 'session.snapshot' && one.body.cause === 'stop') stops += 1
      if (stops >= this.#stops) return
    }
  }
}

const toFindings = (
  turns: Record<Model, Taken>,
  hooks: Record<Model, Taken>,
  snapshots: number[],
): Omit<Findings, 'head'> => {
  const rows = (what: string, taken: Taken): string[][] => [
    [`${what}, without snapshots`, ms(median(taken.off)), ms(percentile(taken.off, 0.95)), ''],
    [`${what}, with snapshots`, ms(median(taken.on)), ms(percentile(taken.on, 0.95)), addedBy(taken)],
  ]
  const goal = (what: string, taken: Taken) => ({ what, value: moreOf(taken), limit: 10, kind: 'at most' as const })
  const turn = `a turn with ${toolsInTurn} shell tools`
  const slow = `a model that takes ${thinkingMs} ms`
  return {
    rows: [
      ...rows(`${turn}, ${slow}`, turns.thinking),
      ...rows(`its hooks alone, ${slow}`, hooks.thinking),
      ...rows(`${turn}, a model that answers at once`, turns.atOnce),
      ...rows('its hooks alone, one right after the other', hooks.atOnce),
      ['a snapshot, from the hook to the log', ms(median(snapshots)), ms(percentile(snapshots, 0.95)), ''],
    ],
    notes: [
      `A real headless Claude Code in a repository of ${fileCount} files: a turn is timed from the prompt in its pipe to its result, one with snapshots after one without; what is compared is the median of the differences within such pairs, and the middle half of them. Its hooks alone are called as it calls them, by the benchmark: that is the time it waits for answers of Rein, without what both take from each other's processor. A tool waits until the snapshot before it is taken, which a model that answers at once leaves no time for.`,
    ],
    goals: [
      goal(`${turn}, ${slow} for each answer: p50 of what snapshots add, in ms`, turns.thinking),
      goal('its hooks alone, the same', hooks.thinking),
      goal('the turn with a model that answers at once, the same', turns.atOnce),
    ],
  }
}

/** Whatever disturbs the machine for longer than a turn disturbs both of a pair. */
const differences = ({ off, on }: Taken): number[] => on.map((taken, index) => taken - (off[index] ?? Number.NaN))

const moreOf = (taken: Taken): number => median(differences(taken))

/** With the middle half of what was found: on a machine that is not quiet, it is wide. */
const addedBy = (taken: Taken): string => {
  const [low, high] = [percentile(differences(taken), 0.25), percentile(differences(taken), 0.75)]
  return `${signed(moreOf(taken))} (${signed(low)} to ${signed(high)})`
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${ms(Math.abs(value))}`
