import type { z } from 'zod'
import type { Command } from '../../../contract/command.ts'
import type { ProjectCommand } from '../../../contract/routes/memory.ts'
import type { ShellLine } from '../../../base/shell/line.ts'
import { leadsAway } from '../../../base/shell/places.ts'
import { isDestructive, isPublishing } from '../diagnose/destructive.ts'
import { addRun, type Entry, EntryTable, newEntry, shownRuns, sumRuns, type Tally, weightAt } from './entry.ts'
import { isSayable, type Known, primerText, type Trap, trapLine } from './primer.ts'
import { isPlain, type Spelling, spellingsOf } from './spelling.ts'
import { findVariant, type Variant } from './variant.ts'

const snapshotVersion = 2

export interface BookSnapshot {
  readonly version: typeof snapshotVersion
  readonly step: number
  readonly work: readonly Entry[]
  readonly other: readonly Entry[]
}

const mostWork = 500
const mostOther = 1_000
const longestCommand = 200
const fewestForPrimer = 8
const fewestFailures = 3
/** Failures of one session count as lasting if they are this far apart. */
const lastingMs = 600_000
const mostTrapSuccess = 0.3
const leastToldSuccess = 0.5

/** Programs that every project runs tell nothing about this one. */
const commonPrograms = new Set(
  'ls cat head tail less grep rg egrep ag find fd cd pwd echo printf wc tree stat file du df ps which type env printenv export jq awk sed sort uniq cut tr xargs diff cmp nl bat date whoami sleep true false test [ kill touch mkdir cp mv ln chmod git gh glab curl wget ssh scp tar unzip zip man history clear vim vi nano code open python python3 node bash sh source tmux claude codex gemini copilot opencode rein'.split(
    ' ',
  ),
)

/** Everything known about one project's commands. In memory, bounded, without a clock. */
export class Book {
  #step = 0
  /** Commands that build, test, check and run the project; no other command can displace them. */
  #work = new EntryTable(mostWork)
  #other = new EntryTable(mostOther)
  #tasks = new Map<string, Set<string>>()

  learn(command: Command, line: ShellLine): void {
    this.#step += 1
    const spellings = spellingsOf(line.text, command.cwd)
    const ending = command.outcome === 'ok' || command.outcome === 'failed' ? command.outcome : 'open'
    // It is not known which one of several failed.
    if (spellings.length > 1 && ending !== 'ok') return
    for (const spelling of spellings) {
      if (spelling.text.length > longestCommand) continue
      const table = spelling.task === null ? this.#other : this.#work
      const entry = table.get(spelling.text) ?? newEntry(spelling, this.#step)
      const end = ending === 'ok' && spelling.isPiped ? 'piped' : ending
      this.#index(entry, table.set(addRun(entry, end, command, line, this.#step)))
    }
  }

  /** The runs of this line here by result; null if it never ran. */
  runs(line: ShellLine, cwd: string | null): Tally | null {
    const entry = this.#find(line, cwd)
    return entry === undefined ? null : sumRuns(entry)
  }

  /** The commands of this project, most useful first. */
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

  /** The usual form of this command here, if it is another one. */
  variant(line: ShellLine, cwd: string | null): Variant | null {
    const [own, more] = spellingsOf(line.text, cwd)
    return own === undefined || more !== undefined ? null : this.#variant(own)
  }

  /** Not null if it never succeeded here, and always failed in the same way, in several sessions or for a while. */
  alwaysFails(line: ShellLine, cwd: string | null): { times: number; error: string } | null {
    const entry = this.#find(line, cwd)
    if (entry === undefined || entry.trouble === null) return null
    const { ok, piped, failed } = sumRuns(entry)
    const { times, error, sessions, firstAt, lastAt } = entry.trouble
    const isLasting = sessions > 1 || (firstAt !== null && lastAt !== null && lastAt - firstAt >= lastingMs)
    if (ok + piped > 0 || failed < fewestFailures || times < failed || !isLasting) return null
    return { times, error }
  }

  /** How this project is worked on, in at most so many characters; null if too little is known. */
  primer(budgetChars: number, helped: (trap: Trap) => string | null = () => null): string | null {
    if (this.#step < fewestForPrimer) return null
    const known = this.#best().flatMap((entry) => {
      const { text, purpose, head, taskKey, rest } = entry
      if (isPublishing(text)) return []
      if (isGeneral(rest) && (taskKey !== null || isGeneral(text.split(' ').slice(1))))
        return rateCommand(purpose, text, [entry])
      // Tests of single files tell how such a test is run.
      if (purpose !== 'test' || rest.some((word) => word.startsWith('-'))) return []
      const sameHead = this.#sameTask(taskKey).filter((other) => other.head === head)
      return rateCommand(purpose, `${head} <file>`, sameHead)
    })
    if (known.length === 0) return null
    const traps = this.#traps().flatMap((trap) => trapLine(trap, helped(trap)))
    return primerText(known, traps, budgetChars)
  }

  snapshot(): BookSnapshot {
    return { version: snapshotVersion, step: this.#step, work: this.#work.all(), other: this.#other.all() }
  }

  /** Throws if another version wrote it. */
  load({ version, step, work, other }: BookSnapshot): void {
    if (version !== snapshotVersion) throw new Error(`A book of version ${String(version)}.`)
    this.#step = step
    this.#work = new EntryTable(mostWork, work)
    this.#other = new EntryTable(mostOther, other)
    this.#tasks = new Map()
    for (const entry of work) this.#index(entry, undefined)
  }

  #find(line: ShellLine, cwd: string | null): Entry | undefined {
    const [own, more] = spellingsOf(line.text, cwd)
    if (own === undefined || more !== undefined) return undefined
    return this.#work.get(own.text) ?? this.#other.get(own.text)
  }

  #variant(own: Spelling): Variant | null {
    const found = findVariant(own, this.#sameTask(own.taskKey))
    return found === null || found.command === own.text || !isSayable(found.command, longestCommand) ? null : found
  }

  #index({ taskKey, text }: Entry, gone: Entry | undefined): void {
    if (taskKey !== null) this.#tasks.set(taskKey, (this.#tasks.get(taskKey) ?? new Set()).add(text))
    if (gone === undefined || gone.taskKey === null) return
    const left = this.#tasks.get(gone.taskKey)
    left?.delete(gone.text)
    if (left?.size === 0) this.#tasks.delete(gone.taskKey)
  }

  #sameTask(taskKey: string | null): readonly Entry[] {
    const texts = taskKey === null ? undefined : this.#tasks.get(taskKey)
    return [...(texts ?? [])].flatMap((text) => this.#work.get(text) ?? [])
  }

  /** One command for each task, and others that were run more than once, most useful first. */
  #best(): readonly Entry[] {
    const others = this.#other
      .all()
      .filter(
        (entry) =>
          shownRuns(entry).runs > 1 && isPlain(entry.text) && !commonPrograms.has(entry.text.split(' ')[0] ?? ''),
      )
    const ranked = [...this.#work.all(), ...others]
      .map((entry) => {
        const { runs, ok } = shownRuns(entry)
        // Success counts more, a command for one file less, one that is no work on the project least.
        const use =
          weightAt(entry, this.#step) *
          (0.2 + ok / (runs + 1)) *
          (isGeneral(entry.rest) ? 1 : 0.4) *
          (entry.taskKey === null ? 0.2 : 1)
        return { entry, use }
      })
      .toSorted((a, b) => b.use - a.use || (a.entry.text < b.entry.text ? -1 : 1))
    const best = new Map<string, Entry>()
    for (const { entry } of ranked) {
      const key = entry.taskKey ?? entry.text
      if (!best.has(key) && !isDestructive(entry.text) && !leadsAway(entry.text)) best.set(key, entry)
    }
    return [...best.values()]
  }

  /** Commands that mostly fail, and at least three times in a row in the same way. */
  #traps(): readonly Trap[] {
    return this.#work
      .all()
      .filter((entry) => {
        const { ok, failed, piped } = sumRuns(entry)
        const isTrap = ok + piped <= mostTrapSuccess * (ok + piped + failed)
        return (entry.trouble?.times ?? 0) >= fewestFailures && isTrap && !leadsAway(entry.text)
      })
      .toSorted((a, b) => weightAt(b, this.#step) - weightAt(a, this.#step))
      .map((entry) => {
        const { ok, failed } = sumRuns(entry)
        const [own] = spellingsOf(entry.text, null)
        const instead = own === undefined ? null : (this.#variant(own)?.command ?? null)
        const { exit, error } = entry.trouble ?? { exit: null, error: '' }
        return { command: entry.text, failed, runs: ok + failed, exit, error, instead }
      })
      .filter(({ command, instead }) => instead !== null || isGeneral(command.split(' ').slice(1)))
  }
}

/** Whether words name no file or directory. */
const isGeneral = (words: readonly string[]): boolean =>
  words.every((word) => word.startsWith('-') || /^\.(?:\/\.\.\.)?$|^[^/.]*$/.test(word))

/** Empty for a command that was run once, or mostly failed. */
const rateCommand = (purpose: Known['purpose'], command: string, entries: readonly Entry[]): readonly Known[] => {
  const sum = (part: keyof Tally): number => entries.reduce((count, entry) => count + sumRuns(entry)[part], 0)
  const ok = sum('ok')
  const ended = ok + sum('failed')
  const runs = ended > 0 ? ended : sum('piped') + sum('open')
  if (runs < 2 || (ended > 0 && ok < leastToldSuccess * ended)) return []
  return [{ purpose, command, runs, ok, isCounted: ended > 0 }]
}
