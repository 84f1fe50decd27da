import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { person } from '../../../contract/outcome.ts'
import type { StatsView } from '../../../contract/routes/memory.ts'
import type { Database } from '../../../base/store/sqlite.ts'
import { AdviceTally } from './advice-tally.ts'
import { Sessions, Tally } from './conduct.ts'
import { Days } from './days.ts'
import { Programs, targets } from './programs.ts'
import { CommandReader, type ToolsOf } from './reading.ts'
import { adviceFacts, adviceGiven, commandFacts, commandsHeard, firstShown, type Range } from './store.ts'
import { Arm, conversationOf, failedDifference } from './trial.ts'

interface WantedStats {
  /** Null: all. */
  project: string | null
  since: number
  now: number
  tools: ToolsOf
}

/** Between pages the daemon does its other work. */
const pageRows = 100
const mostPrograms = 40

/** The results of commands and of advice. Reads all rows of the period once, page by page. */
export const statsOf = async (db: Database, { project, since, now, tools }: WantedStats): Promise<StatsView> => {
  const reader = new CommandReader(tools)
  const advice = new AdviceTally()
  const readCommands = async function* (of: string | null, range: Range) {
    for await (const row of readPages(range, (some) => commandFacts(db, of, some, pageRows)))
      yield { ...row, ...reader.read(row.author, row.agent, row.command) }
  }
  for await (const row of readPages(adviceGiven(db, since, now + 1), (some) =>
    adviceFacts(db, project, some, pageRows),
  ))
    advice.add(row)
  const sessions = new Sessions()
  const [total, people] = [new Tally(), new Tally()]
  const agents = new Map<string, Tally>()
  const arms = { advised: new Arm(), heldOut: new Arm() }
  const programs = new Programs()
  const days = new Days(since, now)
  let secrets = 0
  for await (const ran of readCommands(project, commandsHeard(db, since, now + 1))) {
    if (ran.at < since) continue
    const place = sessions.place(ran)
    total.add(ran, place)
    programs.add(ran.program, ran.outcome, ran.isWrongTool === true)
    days.add(ran.at, ran.outcome)
    secrets += ran.secrets
    if (ran.author === person) {
      people.add(ran, place)
      continue
    }
    const tally = agents.get(ran.author) ?? new Tally()
    tally.add(ran, place)
    agents.set(ran.author, tally)
    const arm = advice.armOf(conversationOf(ran.session))
    if (arm !== null) arms[arm].add(ran, place)
  }
  // Commands of agents before the first advice in their project, in a period of the same length.
  const before = new Tally()
  const sessionsBefore = new Sessions()
  for (const { project: of, at } of firstShown(db, project))
    for await (const ran of readCommands(of, commandsHeard(db, at - (now - since), at)))
      if (ran.author !== person && advice.armOf(conversationOf(ran.session)) === null)
        before.add(ran, sessionsBefore.place(ran))
  return {
    project,
    since,
    total: total.view(),
    people: people.view(),
    agents: [...agents]
      .map(([author, tally]) => ({ author, ...tally.view() }))
      .toSorted((a, b) => b.commands - a.commands),
    // Only runs with a known result count.
    programs: programs
      .most(mostPrograms, 'known')
      .filter(({ known }) => known > 0)
      .map(({ program, known, failed }) => ({
        program,
        runs: known,
        failed: failed / known,
        target: targets.programs[program] ?? null,
      })),
    perDay: days.view(),
    trial: {
      advised: arms.advised.tally.view(),
      heldOut: arms.heldOut.tally.view(),
      before: before.view(),
      failedDifference: failedDifference(arms.advised.ends, arms.heldOut.ends),
    },
    secrets,
    advice: advice.view(),
  }
}

/** The rows of a range as they come, page by page. */
async function* readPages<T extends { position: number }>(
  range: Range,
  readPage: (range: Range) => T[],
): AsyncGenerator<T> {
  for (let { first } = range; first <= range.last; ) {
    const rows = readPage({ first, last: range.last })
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    first = last.position + 1
    await yieldToOthers()
  }
}
