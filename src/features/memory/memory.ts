import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setImmediate as breath } from 'node:timers/promises'
import { type Command, type ShellSession } from '../../contract/command.ts'
import { blank, person } from '../../contract/outcome.ts'
import { type AnyNewRecord, newRecord, type RecordContext } from '../../contract/record.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { Model } from './model.ts'
import { shownOutput } from './recorded.ts'
import {
  type CommandRow,
  commandsAfter,
  hasTwin,
  isBlank,
  isKnownCommand,
  keptCount,
  lastPosition,
  oldestKept,
} from './store.ts'

/** A command that somebody tells of, still with its secrets. */
export interface Told {
  command: Command
  project: string
  agent: string | null
}

export interface Taken {
  taken: number
  known: number
  secrets: number
}

export interface MemoryPorts {
  reader: Database
  append: (records: AnyNewRecord[]) => Promise<unknown>
  /** Nothing of what was overwritten is left beside the database when this resolves. */
  checkpoint: () => Promise<void>
  /** The text without secrets, and how many there were. */
  redact: (text: string) => { text: string; count: number }
  /** What was learnt is kept here, so that a start need not learn it again. */
  file: string
  /** How many commands are kept. */
  keep: number
  now: () => number
  newId: (prefix: string) => string
  /** Of what is learnt while nobody waits for it. */
  onTrouble: (cause: unknown) => void
}

/** So many are read or learnt before others get their turn. */
const slice = 50
/** So many are forgotten with one record. */
const mostForgotten = 1_000
const mostRecent = 10_000

/** What was run, and what was learnt from it. */
export class Memory {
  readonly #ports: MemoryPorts
  #model = new Model()
  /** Up to which command everything is learnt. */
  #position = 0
  /** Ids of commands beyond that, which were learnt at once. */
  readonly #ahead = new Set<string>()
  /** While something is left to learn. */
  #learning: Promise<void> | null = null
  /** Ids that are on their way to the disk, or just were. */
  readonly #recent = new BoundedMap<string, true>(mostRecent)
  /** Up to which command the file has learnt. */
  #saved = 0
  /** The file is written and removed by one after the other. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(ports: MemoryPorts) {
    this.#ports = ports
  }

  get model(): Model {
    return this.#model
  }

  /** Whether this command was told of before. */
  isKnown(id: string): boolean {
    return this.#recent.has(id) || isKnownCommand(this.#ports.reader, id)
  }

  /** What has just been run: it is learnt before this returns, so that advice can go by it. Resolves when it is on disk. */
  async takeNow(told: readonly Told[]): Promise<void> {
    const clean = this.#fresh(told).map((one) => this.#clean(one))
    for (const { project, command } of clean) {
      this.#ahead.add(command.id)
      this.#learn(project, command)
    }
    await this.#write(clean)
    this.#learnMore()
  }

  /** Resolves when they are on disk; what is known is left out. They are learnt when their turn comes. */
  async take(told: readonly Told[]): Promise<Taken> {
    const fresh = this.#fresh(told)
    const clean: Told[] = []
    for (const [index, one] of fresh.entries()) {
      const cleaned = this.#clean(one)
      if (!this.#isTwin(cleaned.command)) clean.push(cleaned)
      if (index % slice === slice - 1) await breath()
    }
    await this.#write(clean)
    this.#learnMore()
    const secrets = clean.reduce((sum, { command }) => sum + command.secrets, 0)
    return { taken: clean.length, known: told.length - clean.length, secrets }
  }

  /** Resolves when all that is on disk is learnt. */
  learnt(): Promise<void> {
    return (this.#learning ??= this.#learnAll())
  }

  /** It was never run after all; the little that was learnt from it stays. */
  async takeBack(id: string): Promise<void> {
    if (!isBlank(this.#ports.reader, id)) await this.#erase([id], false)
  }

  /** The command as it is kept. */
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
      // What is cut off before its secrets are found may be a half of one.
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

  /** They are on no disk and in no answer any more when this resolves; then all others are learnt anew. */
  async forget(ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += mostForgotten) await this.#erase(ids.slice(at, at + mostForgotten), true)
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

  /** Reads what was learnt, and learns what came after that. */
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

  /** Keeps what was learnt, if there is more than so much new. */
  save(atLeast = 1): Promise<void> {
    return this.#next(async () => {
      const position = this.#position
      // What was learnt before it had its place would be learnt again.
      if (position - this.#saved < atLeast || this.#ahead.size > 0) return
      await writeFileAtomic(this.#ports.file, Buffer.concat(this.#model.save(position)))
      this.#saved = position
    })
  }

  /** The oldest go when there are too many. */
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

  /** A history tells again what a shell, or another history, has told of. */
  #isTwin(command: Command): boolean {
    return command.source === 'import' && command.author === person && hasTwin(this.#ports.reader, command)
  }

  /** What is only to be known by its id has nothing to be taken out. */
  #clean(told: Told): Told {
    const { command } = told
    return { ...told, command: command.command === blank.command ? command : this.withoutSecrets(command) }
  }

  #learn(project: string, command: Command): void {
    if (command.command !== blank.command) this.#model.learn(project, command)
  }

  async #write(clean: readonly Told[]): Promise<void> {
    if (clean.length === 0) return
    try {
      await this.#ports.append(this.#records(clean))
    } catch (cause) {
      for (const { command } of clean) {
        this.#recent.delete(command.id)
        this.#ahead.delete(command.id)
      }
      throw cause
    }
  }

  async #erase(ids: readonly string[], isPrivate: boolean): Promise<void> {
    const body = { commands: [...ids], isPrivate }
    await this.#ports.append([newRecord('command.forgotten', body, this.#about(null, null))])
  }

  #learnMore(): void {
    void this.learnt().catch(this.#ports.onTrouble)
  }

  /** A few at a time, in the order of their places; where it begins anew, it goes on from there. */
  async #learnAll(): Promise<void> {
    try {
      for (let isMore = true; isMore; ) {
        await breath()
        const rows = commandsAfter(this.#ports.reader, this.#position, slice)
        for (const row of rows) this.#learnPlaced(row)
        isMore = rows.length > 0
      }
    } finally {
      this.#learning = null
    }
  }

  #learnPlaced(row: CommandRow): void {
    // First, so that one that cannot be learnt does not come again.
    this.#position = row.position
    if (!this.#ahead.delete(row.id)) this.#learn(row.project, row)
  }

  /** One record for all of one project and agent: a history of a million lines is no million records. */
  #records(told: readonly Told[]): AnyNewRecord[] {
    const groups = new Map<string, { first: Told; commands: Command[] }>()
    for (const one of told) {
      const key = `${one.project} ${one.agent ?? ''}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { first: one, commands: [one.command] })
      else group.commands.push(one.command)
    }
    return [...groups.values()].map(({ first, commands }) =>
      newRecord('command.ran', { commands }, this.#about(first.project, first.agent)),
    )
  }

  #about(project: string | null, agent: string | null): RecordContext {
    return { id: this.#ports.newId('rec'), at: this.#ports.now(), actor: { kind: 'daemon' }, agent, project }
  }
}
