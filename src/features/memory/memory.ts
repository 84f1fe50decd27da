import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Command, ShellSession } from '../../contract/command.ts'
import { type Actor, byRein } from '../../contract/identity.ts'
import { blank, person } from '../../contract/outcome.ts'
import { type AnyNewRecord, newRecord, type RecordContext } from '../../contract/record.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { groupBy } from '../../base/util/group.ts'
import { Model } from './model.ts'
import { shownOutput } from './recorded.ts'
import { commandsAfter, hasTwin, isBlank, isKnownCommand, keptCount, lastPosition, oldestKept } from './store.ts'

/** A reported command, still with its secrets. */
export interface Told {
  command: Command
  project: string
  agent: string | null
}

interface Taken {
  taken: number
  known: number
  secrets: number
}

interface MemoryPorts {
  reader: Database
  append: (records: AnyNewRecord[]) => Promise<unknown>
  /** When this resolves, no copy of overwritten data is left beside the database. */
  checkpoint: () => Promise<void>
  /** The text without secrets, and their number. */
  redact: (text: string) => { text: string; count: number }
  /** The model is saved here, so that a start need not learn everything again. */
  file: string
  /** How many commands are stored. */
  keep: number
  now: () => number
  newId: (prefix: string) => string
  /** Errors of learning in the background. */
  onTrouble: (cause: unknown) => void
}

/** So many commands are handled before other work gets its turn. */
const slice = 50
/** So many commands are forgotten with one record. */
const mostForgotten = 1_000
const mostRecent = 10_000

/** The commands that ran, and the model learnt from them. */
export class Memory {
  readonly #ports: MemoryPorts
  #model = new Model()
  /** The position of the last learnt command. */
  #position = 0
  /** Ids of commands beyond that position that were learnt at once. */
  readonly #ahead = new Set<string>()
  /** Set while something is left to learn. */
  #learning: Promise<void> | null = null
  /** Ids that are being written, or just were. */
  readonly #recent = new BoundedMap<string, true>(mostRecent)
  /** The position of the last command in the file. */
  #saved = 0
  /** Writes and removals of the file run one after the other. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(ports: MemoryPorts) {
    this.#ports = ports
  }

  get model(): Model {
    return this.#model
  }

  /** Whether this command was reported before. */
  isKnown(id: string): boolean {
    return this.#recent.has(id) || isKnownCommand(this.#ports.reader, id)
  }

  /** Commands that have just run are learnt before this returns, so that advice can use them. Resolves when on disk. */
  async takeNow(told: readonly Told[]): Promise<void> {
    const clean = this.#fresh(told).map((one) => this.#clean(one))
    for (const { project, command } of clean) {
      this.#ahead.add(command.id)
      this.#learn(project, command)
    }
    await this.#write(clean)
    this.#learnMore()
  }

  /** Resolves when they are on disk, without known ones. They are learnt later. */
  async take(told: readonly Told[]): Promise<Taken> {
    const fresh = this.#fresh(told)
    const clean: Told[] = []
    for (const [index, one] of fresh.entries()) {
      const cleaned = this.#clean(one)
      // A history repeats commands that a shell, or another history, has reported.
      const isHistory = one.command.source === 'import' && one.command.author === person
      if (!isHistory || !hasTwin(this.#ports.reader, cleaned.command)) clean.push(cleaned)
      if (index % slice === slice - 1) await yieldToOthers()
    }
    await this.#write(clean)
    this.#learnMore()
    const secrets = clean.reduce((sum, { command }) => sum + command.secrets, 0)
    return { taken: clean.length, known: told.length - clean.length, secrets }
  }

  /** Resolves when everything on disk is learnt. */
  learnt(): Promise<void> {
    return (this.#learning ??= this.#learnAll())
  }

  /** The command never ran after all; the little that was learnt from it stays. */
  async takeBack(id: string): Promise<void> {
    if (!isBlank(this.#ports.reader, id)) await this.#erase([id], false)
  }

  /** The command as it is stored. */
  withoutSecrets(command: Command): Command {
    let secrets = 0
    const clean = (text: string): string => {
      const redacted = this.#ports.redact(text)
      secrets += redacted.count
      return redacted.text
    }
    const cleanOrNull = (text: string | null): string | null => (text === null ? null : clean(text))
    return {
      ...command,
      command: clean(command.command),
      // Cut only after redaction: a cut secret would not be recognised.
      output: shownOutput(cleanOrNull(command.output)),
      cwd: cleanOrNull(command.cwd),
      branch: cleanOrNull(command.branch),
      edited: command.edited.map(clean),
      secrets,
    }
  }

  noteSession(session: ShellSession, project: string): Promise<unknown> {
    return this.#ports.append([newRecord('command.session', { session }, this.#about(project, null))])
  }

  /** When this resolves, the commands are on no disk and in no answer; then all others are learnt again. */
  async forget(ids: readonly string[], actor: Actor): Promise<void> {
    for (let at = 0; at < ids.length; at += mostForgotten)
      await this.#erase(ids.slice(at, at + mostForgotten), true, actor)
    await this.#ports.checkpoint()
    await this.#next(async () => {
      rmSync(this.#ports.file, { force: true })
      this.#saved = 0
      this.#position = 0
      this.#ahead.clear()
      this.#model = new Model()
    })
    this.#learnMore()
  }

  /** Loads the saved model, and learns the commands after it. */
  open(): Promise<void> {
    const { file, reader } = this.#ports
    const saved = existsSync(file) ? Model.load(readFileSync(file)) : null
    if (saved !== null && saved.position <= lastPosition(reader)) {
      this.#model = saved.model
      this.#position = saved.position
      this.#saved = saved.position
    }
    return this.learnt()
  }

  /** Saves the model, if at least so many commands are new. */
  save(atLeast = 1): Promise<void> {
    return this.#next(async () => {
      const position = this.#position
      // Commands learnt before they had a position would be learnt again.
      if (position - this.#saved < atLeast || this.#ahead.size > 0) return
      await writeFileAtomic(this.#ports.file, Buffer.concat(this.#model.save(position)))
      this.#saved = position
    })
  }

  /** Forgets the oldest commands when there are too many. */
  async trim(): Promise<void> {
    const { reader, keep } = this.#ports
    for (let left = keptCount(reader) - keep; left > 0; left -= mostForgotten)
      await this.#erase(oldestKept(reader, Math.min(left, mostForgotten)), false)
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => undefined)
    return done
  }

  #fresh(told: readonly Told[]): Told[] {
    return told.filter(({ command: { id } }) => {
      if (this.isKnown(id)) return false
      this.#recent.set(id, true)
      return true
    })
  }

  /** A blank command has no secrets. */
  #clean(told: Told): Told {
    const { command } = told
    return { ...told, command: command.command === blank.command ? command : this.withoutSecrets(command) }
  }

  #learn(project: string, command: Command): void {
    if (command.command !== blank.command) this.#model.learn(project, command)
  }

  async #write(clean: readonly Told[]): Promise<void> {
    if (clean.length === 0) return
    // One record for all commands of one project and agent: a history of a million lines is no million records.
    const groups = groupBy(clean, ({ project, agent }) => `${project} ${agent ?? ''}`)
    const records = [...groups.values()].map((group) => {
      const commands = group.map(({ command }) => command)
      return newRecord('command.ran', { commands }, this.#about(group[0]?.project ?? null, group[0]?.agent ?? null))
    })
    try {
      await this.#ports.append(records)
    } catch (cause) {
      for (const { command } of clean) {
        this.#recent.delete(command.id)
        this.#ahead.delete(command.id)
      }
      throw cause
    }
  }

  async #erase(ids: readonly string[], isPrivate: boolean, actor: Actor = byRein): Promise<void> {
    const body = { commands: [...ids], isPrivate }
    await this.#ports.append([newRecord('command.forgotten', body, { ...this.#about(null, null), actor })])
  }

  #learnMore(): void {
    void this.learnt().catch(this.#ports.onTrouble)
  }

  /** A few at a time, by position; after a reset it goes on from the beginning. */
  async #learnAll(): Promise<void> {
    try {
      for (let isMore = true; isMore; ) {
        await yieldToOthers()
        const rows = commandsAfter(this.#ports.reader, this.#position, slice)
        for (const row of rows) {
          // First, so that a row that cannot be learnt does not come again.
          this.#position = row.position
          if (!this.#ahead.delete(row.id)) this.#learn(row.project, row)
        }
        isMore = rows.length > 0
      }
    } finally {
      this.#learning = null
    }
  }

  #about(project: string | null, agent: string | null): RecordContext {
    return { id: this.#ports.newId('rec'), at: this.#ports.now(), actor: byRein, agent, project }
  }
}
