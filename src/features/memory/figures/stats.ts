import { setImmediate as others } from 'node:timers/promises'
import { person } from '../../../contract/outcome.ts'
import type { StatsView } from '../../../contract/routes/memory.ts'
import type { Database } from '../../../base/store/sqlite.ts'
import { AdviceTally } from './advice-tally.ts'
import { type Place, type RanCommand, Sessions, Tally } from './conduct.ts'
import { Days } from './days.ts'
import { Programs, targets } from './programs.ts'
import { CommandReader, type Reading, type ToolsOf } from './reading.ts'
import {
  adviceFacts,
  adviceGiven,
  type CommandFacts,
  commandFacts,
  commandsHeard,
  firstShown,
  type Range,
} from './store.ts'
import { Arm, conversationOf, failedDifference } from './trial.ts'

export interface WantedStats {
  /** Null: all. */
  project: string | null
  since: number
  now: number
  tools: ToolsOf
}

/** So many rows at a time: between them the daemon does its other work. */
const pageRows = 100
const mostPrograms = 40

/** How commands went and what advice did. Reads all rows of the time once, a few at a time. */
export const statsOf = async (db: Database, wanted: WantedStats): Promise<StatsView> => {
  const { project, since, now } = wanted
  const reader = new CommandReader(wanted.tools)
  const advice = new AdviceTally()
  for await (const row of paged(adviceGiven(db, since, now + 1), (range) => adviceFacts(db, project, range, pageRows)))
    advice.add(row)
  const commands = new CommandTally(since, now, advice)
  for await (const row of paged(commandsHeard(db, since, now + 1), (range) =>
    commandFacts(db, project, range, pageRows),
  ))
    if (row.at >= since) commands.add(row, reader.read(row.author, row.agent, row.command))
  const before = await conductBefore(db, wanted, reader, advice)
  return { project, since, ...commands.view(before), advice: advice.view() }
}

/** The rows of a range as they come, by pages. */
async function* paged<T extends { position: number }>(range: Range, page: (range: Range) => T[]): AsyncGenerator<T> {
  for (let { first } = range; first <= range.last; ) {
    const rows = page({ first, last: range.last })
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    first = last.position + 1
    await others()
  }
}

/** What agents ran before the first advice in their project, in a time as long as the one that is looked at. */
const conductBefore = async (db: Database, wanted: WantedStats, reader: CommandReader, advice: AdviceTally) => {
  const sessions = new Sessions()
  const before = new Tally()
  for (const { project, at } of firstShown(db, wanted.project)) {
    const range = commandsHeard(db, at - (wanted.now - wanted.since), at)
    for await (const row of paged(range, (some) => commandFacts(db, project, some, pageRows))) {
      if (row.author === person || advice.armOf(conversationOf(row.session)) !== null) continue
      const ran = toRan(row, reader.read(row.author, row.agent, row.command))
      before.add(ran, sessions.place(ran))
    }
  }
  return before.view()
}

const toRan = (row: CommandFacts, { text, isWrongTool }: Reading): RanCommand => ({
  author: row.author,
  session: row.session,
  text,
  outcome: row.outcome,
  durationMs: row.durationMs,
  outputChars: row.outputChars,
  isAfterEdit: row.hasEdits,
  isWrongTool,
})

/** All figures of commands. */
class CommandTally {
  readonly #sessions = new Sessions()
  readonly #total = new Tally()
  readonly #people = new Tally()
  readonly #agents = new Map<string, Tally>()
  readonly #arms = { advised: new Arm(), heldOut: new Arm() }
  readonly #programs = new Programs()
  readonly #days: Days
  readonly #advice: AdviceTally
  #secrets = 0

  constructor(since: number, now: number, advice: AdviceTally) {
    this.#days = new Days(since, now)
    this.#advice = advice
  }

  add(row: CommandFacts, reading: Reading): void {
    const ran = toRan(row, reading)
    const place = this.#sessions.place(ran)
    this.#total.add(ran, place)
    this.#programs.add(reading.program, row.outcome, reading.isWrongTool === true)
    this.#days.add(row.at, row.outcome)
    this.#secrets += row.secrets
    if (row.author === person) this.#people.add(ran, place)
    else this.#addOfAgent(ran, place)
  }

  #addOfAgent(ran: RanCommand, place: Place): void {
    const tally = this.#agents.get(ran.author) ?? new Tally()
    tally.add(ran, place)
    this.#agents.set(ran.author, tally)
    const arm = this.#advice.armOf(conversationOf(ran.session))
    if (arm !== null) this.#arms[arm].add(ran, place)
  }

  view(before: StatsView['trial']['before']): Omit<StatsView, 'project' | 'since' | 'advice'> {
    const { advised, heldOut } = this.#arms
    return {
      total: this.#total.view(),
      people: this.#people.view(),
      agents: [...this.#agents].map(([author, tally]) => ({ author, ...tally.view() })).toSorted(byCommands),
      programs: this.#programs.most(mostPrograms, 'known').flatMap(programView),
      perDay: this.#days.view(),
      trial: {
        advised: advised.tally.view(),
        heldOut: heldOut.tally.view(),
        before,
        failedDifference: failedDifference(advised.ends, heldOut.ends),
      },
      secrets: this.#secrets,
    }
  }
}

const byCommands = (a: { commands: number }, b: { commands: number }): number => b.commands - a.commands

/** Only runs whose end is known count. */
const programView = ({ program, known, failed }: { program: string; known: number; failed: number }) =>
  known === 0 ? [] : [{ program, runs: known, failed: failed / known, target: targets.programs[program] ?? null }]
