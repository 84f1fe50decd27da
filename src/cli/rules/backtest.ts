import { homedir } from 'node:os'
import path from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import type { RulesBacktest } from '../../contract/outputs/rule-tools.ts'
import type { Backtest } from '../../features/rules/backtest/backtest.ts'
import type { Saved } from '../../features/rules/deeds.ts'
import type { RuleSet } from '../../features/rules/types.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { linesOf } from '../file-lines.ts'
import { recordedAgents } from './recorded.ts'
import { type RulesHere, rulesHere, unknownRule, wrongIn } from './rules-here.ts'
import { backtestText } from './text.ts'

interface BacktestFlags {
  since?: number
  agent?: string
  session?: string
  rule?: string
  commands?: string
  limit?: number
  format?: 'text' | 'json'
}

const usualLimit = 10

export const run = async (context: CliContext, flags: BacktestFlags & JsonFlag): Promise<void> => {
  const { out, now } = context
  const { agent, session, rule, commands, limit = usualLimit } = flags
  if (commands !== undefined && (agent ?? session) !== undefined)
    throw new ReinError('usage', '--commands does not go with --agent and --session.')
  const here = await rulesHere(context)
  const set = await chosen(context, here, rule)
  const since = commands === undefined ? (flags.since ?? now() - 30 * 86_400_000) : null
  const report = await played(context, here.root, set, flags, since).finally(() => out.status(''))
  const result: RulesBacktest = { since, ...report, problems: wrongIn(here.set) }
  if (flags.json || flags.format === 'json') out.document(result)
  else out.line(backtestText(result, limit, now(), out.style))
}

/** Only one rule, or all; a rewrite changes nothing here, so it needs no trust. What runs programs is left out. */
const chosen = async ({ out }: CliContext, { set, sources }: RulesHere, name: string | undefined): Promise<RuleSet> => {
  const { loadForTests } = await import('../../features/rules/testing/run-tests.ts')
  const { toRuleSet } = await import('../../features/rules/load.ts')
  const { runBy } = await import('../../features/rules/allowed.ts')
  const rules = (await loadForTests(sources)).rules.filter(({ rule }) => name === undefined || rule.name === name)
  if (name !== undefined && rules.length === 0) throw unknownRule(name, set)
  const running = rules.filter(({ rule }) => runBy(rule).length > 0)
  if (running.length > 0)
    out.note(`Left out, for nothing is run here: ${running.map(({ rule }) => rule.name).join(', ')}`)
  return toRuleSet(
    rules.filter((rule) => !running.includes(rule)),
    set.problems,
  )
}

type Report = ReturnType<Backtest['report']>

const played = async (
  context: CliContext,
  root: string,
  set: RuleSet,
  flags: BacktestFlags,
  since: number | null,
): Promise<Report> => {
  const { judgeWith } = await import('../../features/rules/backtest/judge.ts')
  const { Backtest: Test } = await import('../../features/rules/backtest/backtest.ts')
  const agents = flags.commands === undefined ? await recordedAgents(context) : null
  const saved = agents === null ? new Map<string, Saved[]>() : await savedFiles(context)
  const test = new Test({
    root,
    home: context.env['HOME'] ?? homedir(),
    judge: judgeWith(set),
    answers: agents?.answers ?? [],
    snapshots: (conversation) => saved.get(conversation) ?? [],
  })
  if (agents === null) {
    const { commandSteps } = await import('../../features/rules/recorded/command-file.ts')
    let done = 0
    for await (const step of commandSteps(linesOf(path.resolve(context.cwd(), flags.commands ?? '')), root)) {
      await test.add(step)
      if ((done += 1) % shownEvery === 0) context.out.status(`Playing: ${done} steps`)
    }
  } else {
    const { stepsOf } = await import('../../features/rules/recorded/steps.ts')
    const ids = agents.within(root)
    const conversations = flags.session === undefined ? null : await conversationsOf(context, flags.session)
    let done = 0
    for await (const record of context.connect().tail({ topic: 'turns' })) {
      if (record.at < (since ?? 0) || record.agent === null || !ids.has(record.agent)) continue
      for (const step of stepsOf(record, agents)) {
        if (flags.agent !== undefined && step.agent.handle !== flags.agent) continue
        if (conversations !== null && !conversations.has(step.conversation)) continue
        await test.add(step)
        if ((done += 1) % shownEvery === 0) context.out.status(`Playing: ${done} steps`)
      }
    }
  }
  return test.report()
}

/** By conversation, oldest first. */
const savedFiles = async ({ connect }: CliContext): Promise<Map<string, Saved[]>> => {
  const found = new Map<string, Saved[]>()
  for await (const { type, body } of connect().tail({ topic: 'sessions' }))
    if (type === 'session.snapshot') {
      const known = found.get(body.conversation) ?? []
      found.set(body.conversation, known)
      known.push({ at: body.at, tree: body.snapshot.tree })
    }
  for (const saved of found.values()) saved.sort((one, other) => one.at - other.at)
  return found
}

const shownEvery = 500

/** A session may go on in several conversations. */
const conversationsOf = async ({ connect, cwd }: CliContext, target: string): Promise<ReadonlySet<string>> => {
  const { turns } = await connect().session({ target, cwd: cwd() })
  return new Set(turns.map(({ conversation }) => conversation))
}
