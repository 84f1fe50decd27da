import type { AgentView } from '../contract/api-types.ts'
import type { Question } from '../contract/agent.ts'
import { ReinError } from '../contract/errors.ts'
import type { Policy } from '../contract/policy.ts'
import type { ReplayedTurnView } from '../contract/replay-api-types.ts'
import { inputSummary } from '../contract/tool-input.ts'
import type { Recorded } from '../sim/recorded.ts'
import { mapPaths, mapText } from './paths.ts'
import type { PlayableTurn, Recording } from './recording.ts'
import { callsIn } from './recorded-turn.ts'
import { isRefused } from './refusal.ts'
import type { Stage } from './stage.ts'

export type CallNote = ReplayedTurnView['calls'][number]

export const handle = 'replay'
const ended: readonly AgentView['state'][] = ['stopped', 'crashed', 'looping']

interface PlayerParts {
  recording: Recording
  stage: Stage
  model: Recorded
  policy: Policy | null
  signal: AbortSignal
}

/** Gives each recorded prompt when the turn before has ended, and answers questions as they were answered then. */
export class Player {
  readonly #recording: Recording
  readonly #stage: Stage
  readonly #model: Recorded
  readonly #policy: Policy | null
  readonly #stopped: AbortSignal
  #played = 0
  #asked: CallNote[] = []

  constructor({ recording, stage, model, policy, signal }: PlayerParts) {
    this.#recording = recording
    this.#stage = stage
    this.#model = model
    this.#policy = policy
    this.#stopped = signal
  }

  /** Resolves when the turn has ended; with the calls that the policy wanted to be asked about. */
  async play(one: PlayableTurn): Promise<{ asked: CallNote[]; left: number }> {
    const { paths } = this.#stage
    this.#asked = []
    this.#model.begin(mapPaths(one.turn.replies, paths))
    const over = new AbortController()
    try {
      const end = this.#turnEnd(this.#played + 1, over.signal)
      const played = Promise.all([this.#prompt(one, mapText(one.turn.prompt, paths)), end])
      await Promise.race([played, this.#attend(one, over.signal), aborted(this.#stopped)])
    } finally {
      over.abort()
    }
    return { asked: this.#asked, left: this.#model.left() }
  }

  get #target(): { target: string; cwd: string } {
    return { target: handle, cwd: this.#stage.cwd }
  }

  async #prompt({ model }: PlayableTurn, text: string): Promise<void> {
    this.#played += 1
    if (this.#played > 1) return void (await this.#stage.client.prompt({ ...this.#target, text }))
    const { driver, permissionMode, autoApprove, system } = this.#recording
    const policy = this.#policy ?? undefined
    await this.#stage.client.up({
      handle,
      driver,
      host: 'stream',
      request: {
        cwd: this.#stage.cwd,
        prompt: text,
        system,
        permissionMode,
        // Who is never asked is never told no.
        autoApprove: policy === undefined ? autoApprove : false,
        policy,
        restart: false,
        ...(model === null ? {} : { model }),
      },
      env: this.#stage.env,
    })
  }

  /** Until so many turns have ended, and it takes the next prompt. */
  async #turnEnd(wanted: number, signal: AbortSignal): Promise<void> {
    const { client } = this.#stage
    let count = 0
    for await (const line of client.turns({ after: 0 }, signal)) {
      if ('turn' in line && line.reason !== 'late') count += 1
      if (count >= wanted) break
    }
    for await (const { agents } of client.watch({ all: true }, signal))
      if (agents.some(({ state }) => state === 'idle')) return
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
    const results = turn.heard.flat().filter(({ kind }) => kind === 'result')
    return callsIn(turn)
      .filter((call) => results.some((one) => one.call === call.id && isRefused(cli, call, one)))
      .map(({ name, input }) => cli.shell.call(name, input)?.command ?? inputSummary(input))
      .map((text) => mapText(text, this.#stage.paths))
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
