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
/** An agent that is about to begin a turn is idle for less. */
const restMs = 10_000
const ended: readonly AgentView['state'][] = ['stopped', 'crashed', 'looping']

/** A turn that is prompted, and those that follow from it by themselves. */
export type Run = readonly [PlayableTurn, ...PlayableTurn[]]

/** The replay of a turn, as the model saw it. */
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
  /** The conversation to continue. */
  prior: string | null
}

/** Gives each recorded prompt when the turn before has ended, and answers questions as they were answered in the recording. */
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

  /** Prompts for the first of these turns; `earlier` turns came before. Resolves when it and those that follow by themselves have ended. */
  async play(run: Run, earlier: number): Promise<Played[]> {
    const { length: before } = this.#sim.requests
    this.#asked = run.map(() => [])
    this.#model.begin(this.#recording.turns.indexOf(run[0]), run.length)
    const over = new AbortController()
    try {
      const played = Promise.all([this.#prompt(run[0]), this.#waitForTurns(run, earlier, over.signal)])
      await Promise.race([played, this.#attend(run, over.signal), aborted(this.#stopped)])
    } finally {
      over.abort()
    }
    const main = this.#sim.requests.filter(({ isMain, kind }) => isMain && kind !== 'compaction')
    const received = main
      .filter(({ index, conversation }) => index >= before && conversation === main[0]?.conversation)
      .map(({ text }) => text)
    return this.#model.tally().flatMap((tally, at) => {
      const [one, asked = []] = [run[at], this.#asked[at]]
      return one === undefined ? [] : [{ one, asked, received: received.splice(0, tally.requests), ...tally }]
    })
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
    // With a policy the agent asks as usual, since it cannot be refused what it does not ask for.
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

  /** Waits until these turns have ended, or the agent stays idle: a hook may let no turn begin. Then the next prompt can come. */
  async #waitForTurns(run: Run, earlier: number, signal: AbortSignal): Promise<void> {
    const countTurns = async (): Promise<void> => {
      let count = -earlier
      for await (const line of this.#stage.client.followTurns({ after: 0 }, signal)) {
        if ('turn' in line && line.reason !== 'late') count += 1
        this.#model.ended(Math.max(0, count))
        if (count >= run.length) return
      }
    }
    // The recorded time until work left in the background came to its end.
    const pauses = run.map(({ turn }, at) => {
      const before = run[at - 1]?.turn.endedAt
      return before === undefined ? 0 : Math.max(0, (turn.saidAt[0] ?? before) - before)
    })
    await Promise.race([countTurns(), this.#idle(restMs + pauses.reduce((sum, ms) => sum + ms, 0), signal)])
    await this.#idle(0, signal)
  }

  /** Resolves when the agent has been idle for so long. */
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

  /** Answers questions. Throws when the agent has ended, and never resolves. */
  async #attend(run: Run, signal: AbortSignal): Promise<never> {
    const answered = new Set<string>()
    for await (const { agents } of this.#stage.client.watch({ all: true }, signal))
      for (const { state, question } of agents) {
        if (ended.includes(state)) {
          const { label } = run[this.#model.current()] ?? run[0]
          throw new ReinError('failed', `The agent ended in the middle of turn ${label}.`, 'Look at it with --keep.')
        }
        if (question === null || answered.has(question.id)) continue
        answered.add(question.id)
        await this.#answerQuestion(run, question)
      }
    return new Promise(() => undefined)
  }

  /** As it was answered then. */
  async #answerQuestion(run: Run, { id, kind, tool, input }: Question): Promise<void> {
    const { cli } = this.#recording
    const call = inputSummary(input)
    if (this.#policy?.tools[tool] === 'ask')
      this.#asked[this.#model.current()]?.push({ tool, call, what: 'asked', why: `policy ${tool}=ask` })
    const refused = run.flatMap(({ turn }) => refusedIn(cli, turn))
    const wasRefused = refused.some((one) => mapText(subjectOf(cli, one), this.#stage.paths) === call)
    const answer = kind === 'question' || wasRefused ? 'deny' : 'allow'
    // The policy may have answered it, or the agent withdrawn it, in the meantime.
    await this.#stage.client.answer({ ...this.#target, answer, question: id }).catch(() => undefined)
  }
}

/** Never resolves. */
const aborted = (signal: AbortSignal): Promise<never> => {
  if (signal.aborted) return Promise.reject(signal.reason as Error)
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
}
