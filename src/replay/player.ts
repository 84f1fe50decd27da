import type { AgentView } from '../contract/api-types.ts'
import type { Question } from '../contract/agent.ts'
import { ReinError } from '../contract/errors.ts'
import type { Policy } from '../contract/policy.ts'
import { inputSummary } from '../contract/tool-input.ts'
import type { Recorded, TurnTally } from '../sim/recorded.ts'
import type { Sim } from '../sim/server.ts'
import { type CallNote, refusedIn, subjectOf } from './calls.ts'
import { mapPaths, mapText } from './paths.ts'
import type { PlayableTurn, Recording } from './recording.ts'
import type { Stage } from './stage.ts'

export const handle = 'replay'
/** One that is about to begin a turn is idle for less. */
const restMs = 10_000
const ended: readonly AgentView['state'][] = ['stopped', 'crashed', 'looping']

/** What came of a turn, as the model saw it. */
export interface Played extends TurnTally {
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
  #played = 0
  #asked: CallNote[] = []

  constructor({ recording, stage, model, sim, policy, signal, prior }: PlayerParts) {
    this.#recording = recording
    this.#stage = stage
    this.#model = model
    this.#sim = sim
    this.#policy = policy
    this.#stopped = signal
    this.#prior = prior
  }

  /** Resolves when the turn has ended. */
  async play(one: PlayableTurn): Promise<Played> {
    const { paths } = this.#stage
    const { length: before } = this.#sim.requests
    this.#asked = []
    this.#model.begin(mapPaths(one.turn.replies, paths))
    const over = new AbortController()
    try {
      const end = this.#turnEnd(this.#recording.earlier + this.#played + 1, over.signal)
      const played = Promise.all([this.#prompt(one, mapText(one.turn.prompt, paths)), end])
      await Promise.race([played, this.#attend(one, over.signal), aborted(this.#stopped)])
    } finally {
      over.abort()
    }
    return { asked: this.#asked, received: this.#received(before), ...this.#model.tally() }
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

  async #prompt({ model }: PlayableTurn, text: string): Promise<void> {
    this.#played += 1
    if (this.#played > 1) return void (await this.#stage.client.prompt({ ...this.#target, text }))
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

  /** Until so many turns have ended and it takes the next prompt; or it is idle and stays so: a hook may let no turn begin. */
  async #turnEnd(wanted: number, signal: AbortSignal): Promise<void> {
    const hasEnded = this.#ended(wanted, signal)
    await Promise.race([hasEnded, this.#idle(restMs, signal)])
    await this.#idle(0, signal)
  }

  async #ended(wanted: number, signal: AbortSignal): Promise<void> {
    let count = 0
    for await (const line of this.#stage.client.turns({ after: 0 }, signal)) {
      if ('turn' in line && line.reason !== 'late') count += 1
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
  async #attend(one: PlayableTurn, signal: AbortSignal): Promise<never> {
    const answered = new Set<string>()
    for await (const { agents } of this.#stage.client.watch({ all: true }, signal))
      for (const { state, question } of agents) {
        if (ended.includes(state)) throw endedEarly(one)
        if (question === null || answered.has(question.id)) continue
        answered.add(question.id)
        await this.#answer(one, question)
      }
    return new Promise(() => undefined)
  }

  async #answer(one: PlayableTurn, question: Question): Promise<void> {
    const call = inputSummary(question.input)
    if (this.#policy?.tools[question.tool] === 'ask')
      this.#asked.push({ tool: question.tool, call, what: 'asked', why: `policy ${question.tool}=ask` })
    const isNo = question.kind === 'question' || this.#refusedIn(one).includes(call)
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

/** Never resolves. */
const aborted = (signal: AbortSignal): Promise<never> => {
  if (signal.aborted) return Promise.reject(signal.reason as Error)
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
}

const endedEarly = ({ label }: PlayableTurn): ReinError =>
  new ReinError('failed', `The agent ended in the middle of turn ${label}.`, 'Look at it with --keep.')
