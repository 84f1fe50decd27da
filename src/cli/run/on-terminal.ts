import path from 'node:path'
import type { RunDecision } from '../../contract/run.ts'
import type { CliContext } from '../context.ts'
import { formatUsd } from '../format.ts'
import { type Bounds, turnLimit } from './decide.ts'
import { fillPorts } from './fill-ports.ts'
import { isGone, type Look } from './look.ts'
import type { Run } from './run.ts'
import { openScreen } from '../tui/run/run-screen.ts'
import { ScreenView } from './screen-view.ts'
import type { StartFlags } from './start.ts'

type End = Extract<RunDecision, { action: 'end' }>

interface TalkFlags extends StartFlags {
  verbose?: boolean
}

/** A run on a terminal: the person prompts until they leave, the agent is gone, or its budget is spent. */
export class Talk {
  readonly view = new ScreenView()
  readonly #context: CliContext
  readonly #flags: TalkFlags
  #screen: Promise<void> = Promise.resolve()
  /** How many things are under way for which we stop the agent and start it again. */
  #moves = 0

  constructor(context: CliContext, flags: TalkFlags) {
    this.#context = context
    this.#flags = flags
  }

  /** `conducted` prompts by itself, turn after turn, where that is asked for. */
  run(one: Run, bounds: Bounds, conducted: () => Promise<End>): Promise<End> {
    const ports = fillPorts({
      context: this.#context,
      client: this.#context.connect(),
      one,
      view: this.view,
      flags: this.#flags,
      away: async (work) => {
        this.#moves += 1
        try {
          return await work()
        } finally {
          this.#moves -= 1
        }
      },
    })
    const { isLoop, prompt } = bounds
    const { handle, driver, version, cwd } = one.agent
    this.#screen = openScreen(
      this.#context,
      {
        title: `${handle} · ${driver} ${version} · ${cwd}`,
        cwd,
        isVerbose: this.#flags.verbose === true,
        historyFile: path.join(this.#context.paths().state, 'run-history'),
        prompts: isLoop || prompt === '' ? [] : [prompt],
      },
      ports,
    )
    const left = this.#screen.then(() => this.#end(one, 'done', 'You left.'))
    return Promise.race([left, bounds.isLoop ? conducted() : this.#over(one, bounds)])
  }

  /** The terminal is as it was before. */
  async close(): Promise<void> {
    this.view.queue.close()
    await this.#screen.catch(() => undefined)
  }

  /** The agent is gone, or may not go on. */
  async #over(one: Run, bounds: Bounds): Promise<End> {
    const isAway = (look: Look): boolean => isGone(look) && this.#moves === 0
    const look = await one.until((each) => isAway(each) || this.#limit(each, bounds) !== null)
    const [reason, detail] = this.#limit(look, bounds) ?? [look.state === 'stopped' ? 'stopped' : 'failed', look.reason]
    return this.#end(one, reason, detail)
  }

  #limit(look: Look, { budgetUsd, maxTurns }: Bounds): [End['reason'], string] | null {
    const { end, costUsd } = look
    if (end === null) return null
    if (budgetUsd !== null && costUsd !== null && costUsd >= budgetUsd)
      return ['budget', `It cost ${formatUsd(costUsd)} of ${formatUsd(budgetUsd)}.`]
    return turnLimit(look, maxTurns)
  }

  #end({ look }: Run, reason: End['reason'], detail: string): End {
    return { action: 'end', reason, detail, turns: this.view.turns, costUsd: look.costUsd }
  }
}
