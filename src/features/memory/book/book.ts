import type { z } from 'zod'
import type { Command } from '../../../contract/command.ts'
import type { Outcome } from '../../../contract/outcome.ts'
import type { ProjectCommand } from '../../../contract/routes/memory.ts'
import type { ShellLine } from '../../../base/shell/line.ts'
import { leadsAway } from '../../../base/shell/places.ts'
import { isDestructive, isPublishing } from '../diagnose/destructive.ts'
import { afterRun, type Ending, type Entry, newEntry, shownRuns, type Tally, total, weightAt } from './entry.ts'
import { EntryTable } from './entry-table.ts'
import { isSayable, type Known, primerText, type Trap, trapLine } from './primer.ts'
import { isPlain, type Spelling, spellingsOf } from './spelling.ts'
import { type Variant, variantOf } from './variant.ts'

const VERSION = 2

export interface BookSnapshot {
  readonly version: typeof VERSION
  readonly step: number
  readonly work: readonly Entry[]
  readonly other: readonly Entry[]
}

export interface AlwaysFails {
  readonly times: number
  readonly error: string
}

const MOST_WORK = 500
const MOST_OTHER = 1_000
const LONGEST = 200
const FEWEST_FOR_PRIMER = 8
const FEWEST_FAILURES = 3
const SPACED_MS = 600_000
const MOSTLY = 0.3
const TELLING = 0.5
const ENDINGS: Readonly<Record<Outcome, Ending>> = {
  ok: 'ok',
  failed: 'failed',
  interrupted: 'open',
  background: 'open',
  unknown: 'open',
}

/** What is known of one project's commands. In memory, bounded, without a clock. */
export class Book {
  #step = 0
  /** What builds, tests, checks and runs the project; nothing else can push it out. */
  #work = new EntryTable(MOST_WORK)
  #other = new EntryTable(MOST_OTHER)
  #tasks = new Map<string, Set<string>>()

  learn(command: Command, line: ShellLine): void {
    this.#step += 1
    const spellings = spellingsOf(line.text, command.cwd)
    const ending = ENDINGS[command.outcome]
    // Which one of several failed is not known.
    if (spellings.length > 1 && ending !== 'ok') return
    for (const spelling of spellings) {
      if (spelling.text.length > LONGEST) continue
      const table = spelling.task === null ? this.#other : this.#work
      const entry = table.get(spelling.text) ?? newEntry(spelling, this.#step)
      const end = ending === 'ok' && spelling.isPiped ? 'piped' : ending
      this.#index(entry, table.set(afterRun(entry, end, command, line, this.#step)))
    }
  }

  /** How often this line was run here, and how that ended; null if it never was. */
  runs(line: ShellLine, cwd: string | null): Tally | null {
    const entry = this.#entry(line, cwd)
    return entry === undefined ? null : total(entry)
  }

  /** What is run here, most useful first. */
  known(limit: number): z.infer<typeof ProjectCommand>[] {
    return this.#best()
      .slice(0, limit)
      .map((entry) => ({
        purpose: entry.purpose,
        command: entry.text,
        ...shownRuns(entry),
        lastAt: entry.lastAt,
      }))
  }

  /** How this is done here, if that is otherwise. */
  variant(line: ShellLine, cwd: string | null): Variant | null {
    const [own, more] = spellingsOf(line.text, cwd)
    return own === undefined || more !== undefined ? null : this.#variant(own)
  }

  /** Never succeeded here, and always failed in the same way, in several sessions or for a while. */
  alwaysFails(line: ShellLine, cwd: string | null): AlwaysFails | null {
    const entry = this.#entry(line, cwd)
    if (entry === undefined || entry.trouble === null) return null
    const { ok, piped, failed } = total(entry)
    const { times, error, sessions, firstAt, lastAt } = entry.trouble
    const isSpread = sessions > 1 || (firstAt !== null && lastAt !== null && lastAt - firstAt >= SPACED_MS)
    if (ok + piped > 0 || failed < FEWEST_FAILURES || times < failed || !isSpread) return null
    return { times, error }
  }

  /** How this project is worked on, in at most so many characters; null if too little is known. */
  primer(budgetChars: number, helped: (trap: Trap) => string | null = () => null): string | null {
    if (this.#step < FEWEST_FOR_PRIMER) return null
    const known = this.#best().flatMap((entry) => this.#worthTelling(entry))
    if (known.length === 0) return null
    const traps = this.#traps().flatMap((trap) => trapLine(trap, helped(trap)))
    return primerText(known, traps, budgetChars)
  }

  snapshot(): BookSnapshot {
    return { version: VERSION, step: this.#step, work: this.#work.all(), other: this.#other.all() }
  }

  /** Throws if another version wrote it. */
  load({ version, step, work, other }: BookSnapshot): void {
    if (version !== VERSION) throw new Error(`A book of version ${String(version)}.`)
    this.#step = step
    this.#work = new EntryTable(MOST_WORK, work)
    this.#other = new EntryTable(MOST_OTHER, other)
    this.#tasks = new Map()
    for (const entry of work) this.#index(entry, undefined)
  }

  #entry(line: ShellLine, cwd: string | null): Entry | undefined {
    const [own, more] = spellingsOf(line.text, cwd)
    if (own === undefined || more !== undefined) return undefined
    return this.#work.get(own.text) ?? this.#other.get(own.text)
  }

  #variant(own: Spelling): Variant | null {
    const found = variantOf(own, this.#sameTask(own.taskKey))
    return found === null || found.command === own.text || !isSayable(found.command, LONGEST) ? null : found
  }

  #index({ taskKey, text }: Entry, gone: Entry | undefined): void {
    if (taskKey !== null) this.#tasks.set(taskKey, (this.#tasks.get(taskKey) ?? new Set()).add(text))
    if (gone === undefined || gone.taskKey === null) return
    const left = this.#tasks.get(gone.taskKey)
    left?.delete(gone.text)
    if (left?.size === 0) this.#tasks.delete(gone.taskKey)
  }

  /** One command for each task, and others that were run more than once. */
  #best(): readonly Entry[] {
    const best = new Map<string, Entry>()
    const ranked = [...this.#work.all(), ...this.#other.all().filter(isWorthKnowing)]
      .map((entry) => ({ entry, use: this.#use(entry) }))
      .toSorted((a, b) => b.use - a.use || (a.entry.text < b.entry.text ? -1 : 1))
    for (const { entry } of ranked) {
      const key = entry.taskKey ?? entry.text
      if (!best.has(key) && !isDestructive(entry.text) && !leadsAway(entry.text)) best.set(key, entry)
    }
    return [...best.values()]
  }

  /** What succeeds counts more, what names one file less, what is no work on the project least. */
  #use(entry: Entry): number {
    const { runs, ok } = shownRuns(entry)
    return (
      weightAt(entry, this.#step) *
      (0.2 + ok / (runs + 1)) *
      (isGeneral(entry.rest) ? 1 : 0.4) *
      (entry.taskKey === null ? 0.2 : 1)
    )
  }

  /** What succeeds here whatever it is run on; of tests of single files, how they are run. */
  #worthTelling(entry: Entry): readonly Known[] {
    const { text, purpose, head, taskKey, rest } = entry
    if (isPublishing(text)) return []
    if (isGeneral(rest) && (taskKey !== null || isGeneral(text.split(' ').slice(1))))
      return told(purpose, text, [entry])
    if (purpose !== 'test' || rest.some((word) => word.startsWith('-'))) return []
    return told(
      purpose,
      `${head} <file>`,
      this.#sameTask(taskKey).filter((other) => other.head === head),
    )
  }

  #sameTask(taskKey: string | null): readonly Entry[] {
    const texts = taskKey === null ? undefined : this.#tasks.get(taskKey)
    return [...(texts ?? [])].flatMap((text) => this.#work.get(text) ?? [])
  }

  #traps(): readonly Trap[] {
    return this.#work
      .all()
      .filter((entry) => isTrap(entry) && !leadsAway(entry.text))
      .toSorted((a, b) => weightAt(b, this.#step) - weightAt(a, this.#step))
      .map((entry) => this.#trap(entry))
      .filter(({ command, instead }) => instead !== null || isGeneral(command.split(' ').slice(1)))
  }

  #trap(entry: Entry): Trap {
    const { ok, failed } = total(entry)
    const [own] = spellingsOf(entry.text, null)
    const instead = own === undefined ? null : (this.#variant(own)?.command ?? null)
    const { exit, error } = entry.trouble ?? { exit: null, error: '' }
    return { command: entry.text, failed, runs: ok + failed, exit, error, instead }
  }
}

/** Names no file or directory. */
const isGeneral = (words: readonly string[]): boolean =>
  words.every((word) => word.startsWith('-') || /^\.(?:\/\.\.\.)?$|^[^/.]*$/.test(word))

/** Nothing of what was run once, or mostly failed. */
function told(purpose: Known['purpose'], command: string, entries: readonly Entry[]): readonly Known[] {
  const sum = (part: keyof Tally): number => entries.reduce((count, entry) => count + total(entry)[part], 0)
  const ended = sum('ok') + sum('failed')
  const runs = ended > 0 ? ended : sum('piped') + sum('open')
  if (runs < 2 || (ended > 0 && sum('ok') < TELLING * ended)) return []
  return [{ purpose, command, runs, ok: sum('ok'), isCounted: ended > 0 }]
}

/** Fails mostly, and at least three times in a row in the same way. */
const isTrap = (entry: Entry): boolean => {
  const { ok, failed, piped } = total(entry)
  return (entry.trouble?.times ?? 0) >= FEWEST_FAILURES && ok + piped <= MOSTLY * (ok + piped + failed)
}

const COMMON = new Set(
  'ls cat head tail less grep rg egrep ag find fd cd pwd echo printf wc tree stat file du df ps which type env printenv export jq awk sed sort uniq cut tr xargs diff cmp nl bat date whoami sleep true false test [ kill touch mkdir cp mv ln chmod git gh glab curl wget ssh scp tar unzip zip man history clear vim vi nano code open python python3 node bash sh source tmux claude codex gemini copilot opencode rein'.split(
    ' ',
  ),
)
/** What every project is full of tells nothing of this one. */
const isWorthKnowing = (entry: Entry): boolean => {
  const { runs } = shownRuns(entry)
  return runs > 1 && isPlain(entry.text) && !COMMON.has(entry.text.split(' ')[0] ?? '')
}
