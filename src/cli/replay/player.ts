import type { AgentView } from '../../contract/routes/agents.ts'
import type { Question } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Policy } from '../../contract/policy.ts'
import { inputSummary } from '../../contract/tool-input.ts'
import type { Recorded, TurnTally } from '../../sim/recorded.ts'
import type { Sim } from '../../sim/server.ts'
import { type CallNote, refusedIn, subjectOf } from './calls.ts'
import { mapText } from './paths.ts'
import type { PlayableTurn, Recording } from './recording.ts'
import type { Stage } from './stage.ts'

export const handle = 'replay'
/** One that is about to begin a turn is idle for less. */
const restMs = 10_000
const ended: readonly AgentView['state'][] = ['stopped', 'crashed', 'looping']

/** A turn that is prompted, and those that follow from it by themselves. */
export type Run = readonly [PlayableTurn, ...PlayableTurn[]]

/** What came of a turn, as the model saw it. */
export interface Played extends TurnTally {
  one: PlayableTurn
  /** Calls that the policy wanted to be asked about. */
  asked: CallNote[]
  /** The whole text of each request of the agent itself. */
  received: string[]
}

interface PlayerParts {
  recording: Recording
  stage: Stage
  model: Recorded
  sim: Sim
  policy: Policy | null
  signal: AbortSignal
  /** The conversation that it goes on in. */
  prior: string | null
}

/** Gives each recorded prompt when the turn before has ended, and answers questions as they were answered then. */
export class Player {
  readonly #recording: Recording
  readonly #stage: Stage
  readonly #model: Recorded
  readonly #sim: Sim
  readonly #policy: Policy | null
  readonly #stopped: AbortSignal
  readonly #prior: string | null
  #hasBegun = false
  #asked: CallNote[][] = []

  constructor({ recording, stage, model, sim, policy, signal, prior }: PlayerParts) {
    this.#recording = recording
    this.#stage = stage
    this.#model = model
    this.#sim = sim
    this.#policy = policy
    this.#stopped = signal
    this.#prior = prior
  }

  /** Prompts for the first of these turns. Resolves when it and those that follow by themselves have ended; before them there were so many. */
  async play(run: Run, earlier: number): Promise<Played[]> {
    const { length: before } = this.#sim.requests
    this.#asked = run.map(() => [])
    this.#model.begin(this.#recording.turns.indexOf(run[0]), run.length)
    const over = new AbortController()
    try {
      const played = Promise.all([this.#prompt(run[0]), this.#turnsEnd(run, earlier, over.signal)])
      await Promise.race([played, this.#attend(run, over.signal), aborted(this.#stopped)])
    } finally {
      over.abort()
    }
    const received = this.#received(before)
    return this.#model.tally().flatMap((tally, at) => {
      const [one, asked = []] = [run[at], this.#asked[at]]
      return one === undefined ? [] : [{ one, asked, received: received.splice(0, tally.requests), ...tally }]
    })
  }

  #received(from: number): string[] {
    const asked = this.#sim.requests.filter(({ isMain, kind }) => isMain && kind !== 'compaction')
    const [first] = asked
    return asked
      .filter(({ index, conversation }) => index >= from && conversation === first?.conversation)
      .map(({ text }) => text)
  }

  get #target(): { target: string; cwd: string } {
    return { target: handle, cwd: this.#stage.cwd }
  }

  async #prompt({ model, turn }: PlayableTurn): Promise<void> {
    const text = mapText(turn.prompt, this.#stage.paths)
    if (this.#hasBegun) return void (await this.#stage.client.prompt({ ...this.#target, text }))
    this.#hasBegun = true
    const { driver, permissionMode, autoApprove, system } = this.#recording
    const policy = this.#policy ?? undefined
    // Who is never asked is never told no: with a policy it asks as it usually does.
    const permissions = policy === undefined ? { permissionMode, autoApprove } : { policy }
    await this.#stage.client.up({
      handle,
      driver,
      host: 'stream',
      request: {
        cwd: this.#stage.cwd,
        prompt: text,
        system,
        ...permissions,
        restart: false,
        ...(this.#prior === null ? {} : { resume: this.#prior }),
        ...(model === null ? {} : { model }),
      },
      env: this.#stage.env,
    })
  }

  /** Until these turns have ended and it takes the next prompt; or it is idle and stays so: a hook may let no turn begin. */
  async #turnsEnd(run: Run, earlier: number, signal: AbortSignal): Promise<void> {
    const haveEnded = this.#ended(run.length, earlier, signal)
    await Promise.race([haveEnded, this.#idle(restMs + pausesIn(run), signal)])
    await this.#idle(0, signal)
  }

  async #ended(wanted: number, earlier: number, signal: AbortSignal): Promise<void> {
    let count = -earlier
    for await (const line of this.#stage.client.followTurns({ after: 0 }, signal)) {
      if ('turn' in line && line.reason !== 'late') count += 1
      this.#model.ended(Math.max(0, count))
      if (count >= wanted) return
    }
  }

  /** Resolves when it has been idle for so long. */
  #idle(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const look = async (): Promise<void> => {
        for await (const { agents } of this.#stage.client.watch({ all: true }, signal)) {
          clearTimeout(timer)
          if (agents.some(({ state }) => state === 'idle')) timer = setTimeout(resolve, ms)
        }
        clearTimeout(timer)
      }
      look().catch(reject)
    })
  }

  /** Comes to an end only with an error: the agent has ended. */
  async #attend(run: Run, signal: AbortSignal): Promise<never> {
    const answered = new Set<string>()
    for await (const { agents } of this.#stage.client.watch({ all: true }, signal))
      for (const { state, question } of agents) {
        if (ended.includes(state)) throw endedEarly(run[this.#model.current()] ?? run[0])
        if (question === null || answered.has(question.id)) continue
        answered.add(question.id)
        await this.#answer(run, question)
      }
    return new Promise(() => undefined)
  }

  async #answer(run: Run, question: Question): Promise<void> {
    const call = inputSummary(question.input)
    if (this.#policy?.tools[question.tool] === 'ask')
      this.#asked[this.#model.current()]?.push({
        tool: question.tool,
        call,
        what: 'asked',
        why: `policy ${question.tool}=ask`,
      })
    const isNo = question.kind === 'question' || run.some((one) => this.#refusedIn(one).includes(call))
    // It may have been answered by the policy, or taken back, meanwhile.
    await this.#stage.client
      .answer({ ...this.#target, answer: isNo ? 'deny' : 'allow', question: question.id })
      .catch(() => undefined)
  }

  /** What the calls that were refused then were about, in the words of a question. */
  #refusedIn({ turn }: PlayableTurn): string[] {
    const { cli } = this.#recording
    return refusedIn(cli, turn).map((call) => mapText(subjectOf(cli, call), this.#stage.paths))
  }
}

/** How long nothing happened then, until what had been left running came to its end. */
const pausesIn = (run: Run): number =>
  run.reduce((sum, { turn }, at) => {
    const before = run[at - 1]?.turn.endedAt
    return before === undefined ? sum : sum + Math.max(0, (turn.saidAt[0] ?? before) - before)
  }, 0)

/** Never resolves. */
const aborted = (signal: AbortSignal): Promise<never> => {
  if (signal.aborted) return Promise.reject(signal.reason as Error)
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
}

const endedEarly = ({ label }: PlayableTurn): ReinError =>
  new ReinError('failed', `The agent ended in the middle of turn ${label}.`, 'Look at it with --keep.')
