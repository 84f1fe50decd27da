import { randomUUID } from 'node:crypto'
import { constants } from 'node:os'
import path from 'node:path'
import type { Client } from '../../client/client.ts'
import { ReinError } from '../../contract/errors.ts'
import { fullName } from '../../contract/handle.ts'
import type { RunDecision } from '../../contract/run.ts'
import { runEnds } from '../../contract/run-ends.ts'
import type { RunSummary } from '../../contract/outputs/run.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { counted } from '../format.ts'
import { conduct } from '../run/conduct.ts'
import { jsonView } from '../run/json-view.ts'
import { PlainView } from '../run/plain.ts'
import { Run, type RunView } from '../run/run.ts'
import type { Talk } from '../run/on-terminal.ts'
import { startAgent, type StartFlags } from '../run/start.ts'
import { loadSettings } from '../settings.ts'
import { isInteractive } from '../tui/terminal/terminal.ts'
import { readTextInput } from '../text-input.ts'

export interface RunFlags extends StartFlags {
  loop?: boolean
  until?: string
  verbose?: boolean
}

type End = Extract<RunDecision, { action: 'end' }>
type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export const run = async (context: CliContext, flags: RunFlags & JsonFlag, given?: string): Promise<void> => {
  const told = untilTold()
  const talk = await talkOf(context, flags, given)
  const isOpen = talk !== null && given === undefined
  const prompt = isOpen ? '' : await readTextInput(given ?? '-', context.stdin)
  const maxTurns = await maxTurnsOf(context, flags)
  const { until = null, budget = null, pauseOn = [] } = flags
  const isLoop = flags.loop === true || until !== null
  const pauses = pauseOn.filter((one) => one === 'turn' || one === 'cost')
  if (!isLoop && pauses.length > 0)
    throw new ReinError(
      'usage',
      'Without --loop or --until a run does not go on by itself.',
      'Leave out --pause-on turn or cost.',
    )
  const bounds = { prompt, isLoop, until, maxTurns, budgetUsd: budget, pauseOn: pauses }
  const client = context.connect()
  context.out.status('Starting the agent …')
  const limits = maxTurns === null ? {} : { maxTurns }
  const agent = await startAgent(context, client, { ...flags, ...limits }).finally(() => context.out.status(''))
  const view = talk?.view ?? viewOf(context, flags, () => one.name)
  const one: Run = new Run(client, agent, context.cwd(), view, maxTurns)
  const conducted = {
    until: one.until.bind(one),
    begin: one.begin.bind(one),
    decide: one.decide.bind(one),
    wasInterrupted: one.wasInterrupted.bind(one),
    check: one.check.bind(one),
    nonce: randomUUID,
  }
  const work = (): Promise<End> => conduct(conducted, bounds)
  const end = await untilEnd(one, talk === null ? work() : talk.run(one, bounds, work), told)
  await talk?.close()
  const signal = told.given()
  await finish(context, client, one, end, flags, signal)
}

/** On a terminal the person talks with the agent; only `--loop` and `--until` need a prompt. */
const talkOf = async (context: CliContext, flags: RunFlags & JsonFlag, given?: string): Promise<Talk | null> => {
  const isByItself = flags.loop === true || flags.until !== undefined
  if (flags.json || given === '-' || !isInteractive(context.env)) return null
  if (given === undefined && isByItself)
    throw new ReinError(
      'usage',
      'What is it to do?',
      "Give a prompt: rein run 'Make the tests pass' --until 'npm test'",
    )
  return new (await import('../run/on-terminal.ts')).Talk(context, flags)
}

/** Of the setting 0 is none. */
const maxTurnsOf = async (context: CliContext, { maxTurns, cwd }: RunFlags): Promise<number | null> => {
  if (maxTurns !== undefined) return maxTurns
  const settings = await loadSettings(context, path.resolve(context.cwd(), cwd ?? ''))
  return settings['run.max_turns'].value || null
}

const viewOf = (context: CliContext, { json, verbose = false }: RunFlags & JsonFlag, name: () => string): RunView => {
  const { out } = context
  if (json) return jsonView(out)
  return new PlainView({
    out,
    write: (text) => void process.stdout.write(text),
    isTerminal: process.stdout.isTTY,
    isVerbose: verbose,
    name,
  })
}

/** What this process was told to do: a first Ctrl-C only interrupts the turn. */
interface Told {
  given(): Signal | null
  /** Resolves when the run is to end now. */
  toEnd(interrupt: () => Promise<boolean>): Promise<Signal>
}

const untilTold = (): Told => {
  let given: Signal | null = null
  let heed: ((signal: Signal) => void) | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      given = signal
      heed?.(signal)
    })
  return {
    given: () => given,
    toEnd: (interrupt) =>
      new Promise((resolve) => {
        heed = (signal) => {
          if (signal !== 'SIGINT') return resolve(signal)
          void interrupt()
            .catch(() => false)
            .then((isInterrupted) => !isInterrupted && resolve(signal))
        }
        if (given !== null) resolve(given)
      }),
  }
}

/** Resolves at the first of: the run's own end, a signal, a lost connection. */
const untilEnd = async (one: Run, work: Promise<End>, told: Told): Promise<End> => {
  const lost = one.follow().then(() => new Promise<never>(() => undefined))
  const signalled = told.toEnd(() => one.interrupt()).then((signal) => endOf(one, 'interrupted', `${signal}.`))
  return Promise.race([work, signalled, lost]).catch((cause: unknown) =>
    endOf(one, 'failed', cause instanceof Error ? cause.message : String(cause)),
  )
}

const endOf = ({ look, turns }: Run, reason: End['reason'], detail: string): End => ({
  action: 'end',
  reason,
  detail,
  turns,
  costUsd: look.costUsd,
})

/** Ends the agent first, so that the last line means that it is gone. */
const finish = async (
  context: CliContext,
  client: Client,
  one: Run,
  end: End,
  { json }: JsonFlag,
  signal: Signal | null,
): Promise<void> => {
  const target = { target: one.name, cwd: context.cwd() }
  const ended = await client.decideRun({ ...target, decision: end }).catch(() => one.agent)
  one.leave()
  const exitCode =
    signal === null || end.reason !== 'interrupted' ? runEnds[end.reason] : 128 + constants.signals[signal]
  const { reason, detail, turns, costUsd } = end
  const { look, agent } = one
  const { project, handle, driver } = agent
  const rest = { text: look.text, agent: handle, project, driver, model: look.model, conversation: ended.conversation }
  const summary: RunSummary = { kind: 'summary', reason, detail, exitCode, turns, costUsd, ...rest }
  const cost = costUsd === null ? '' : `, ${costUsd.toFixed(2)} USD`
  if (json) context.out.record(summary)
  else
    context.out.note(
      `■ ${reason.replace('_', ' ')}: ${detail} ${counted(turns, 'turn')}${cost}. Go on: rein run -r ${fullName({ project, handle })}`,
    )
  context.exitWith(exitCode)
}
