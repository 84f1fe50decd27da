import type { Command } from '../../contract/command.ts'
import { LineCache } from '../../base/shell/line-cache.ts'
import type { Ground } from './advise/ground.ts'
import { findKnownLine } from './advise/line-from.ts'
import { Book, type BookSnapshot } from './book/book.ts'
import { type Diagnosis, diagnose } from './diagnose/diagnose.ts'
import { FixMemory, type FixSnapshot } from './diagnose/fix-memory.ts'
import type { Failure } from './diagnose/signature.ts'
import { toLearn } from './own-commands.ts'
import type { Asked, Moment, Prediction } from './predict/event.ts'
import { Predictor } from './predict/predictor.ts'
import { loadPredictor, savePredictor } from './predict/snapshot.ts'
import { trainedWeights } from './predict/weights.ts'

interface Saved {
  readonly version: 1
  /** The last command that is learnt. */
  readonly position: number
  readonly projects: readonly (readonly [string, { book: BookSnapshot; fixes: FixSnapshot }])[]
}

const headBytes = 4

/** Everything learnt from commands, in memory. It can be rebuilt from them at any time. */
export class Model {
  readonly #lines = new LineCache()
  readonly #predictor: Predictor
  readonly #projects = new Map<string, { readonly book: Book; readonly fixes: FixMemory }>()

  constructor(predictor = new Predictor(trainedWeights())) {
    this.#predictor = predictor
  }

  learn(project: string, heard: Command): void {
    const command = toLearn(heard, this.#lines)
    if (command === null) return
    const { book, fixes } = this.#of(project)
    const { session, output, edited, outcome } = command
    // A CLI may report a failure without its exit code.
    const exit = outcome === 'ok' ? 0 : outcome === 'failed' ? (command.exit ?? 1) : null
    const line = this.#lines.read(command.command)
    this.#predictor.observe({
      ...toMoment({ ...command, project, cwd: command.cwd ?? '', time: command.at ?? 0 }),
      command: command.command,
      exit,
      ...(output !== null && { error: output }),
    })
    book.learn(command, line)
    fixes.observe({
      session,
      command: command.command,
      exit,
      edited: edited.length > 0,
      ...(output !== null && { output }),
    })
  }

  /** The next commands, likeliest first. */
  next(asked: Asked, limit: number): Prediction[] {
    return this.#predictor.predict(toMoment(asked), limit)
  }

  /** Completions of what is typed, likeliest first. */
  complete(asked: Asked, prefix: string, limit: number): Prediction[] {
    return this.#predictor.complete(toMoment(asked), prefix, limit)
  }

  diagnose(project: string, failure: Failure): Diagnosis {
    return diagnose(failure, this.#lines.read(failure.command), this.#of(project).fixes)
  }

  /** A line as it is to be run from here; null if it never ran in this project. */
  knownHere(project: string, text: string, cwd: string, ground: Ground): string | null {
    return findKnownLine(text, cwd, { book: this.#of(project).book, lines: this.#lines, ground })?.text ?? null
  }

  book(project: string): Book {
    return this.#of(project).book
  }

  save(position: number): Uint8Array[] {
    const projects = [...this.#projects].map(
      ([name, { book, fixes }]) => [name, { book: book.snapshot(), fixes: fixes.snapshot() }] as const,
    )
    const head = Buffer.from(JSON.stringify({ version: 1, position, projects } satisfies Saved))
    const length = Buffer.alloc(headBytes)
    length.writeUInt32LE(head.length)
    return [length, head, ...savePredictor(this.#predictor)]
  }

  /** Null for a damaged file or one of another version: then everything is learnt again. */
  static load(bytes: Buffer): { model: Model; position: number } | null {
    try {
      const start = headBytes + bytes.readUInt32LE()
      const saved = JSON.parse(bytes.toString('utf8', headBytes, start)) as Saved
      const predictor = loadPredictor(bytes.subarray(start), trainedWeights())
      if (saved.version !== 1 || predictor === undefined) return null
      const model = new Model(predictor)
      for (const [name, { book, fixes }] of saved.projects) {
        model.#of(name).book.load(book)
        model.#of(name).fixes.load(fixes)
      }
      return { model, position: saved.position }
    } catch {
      return null
    }
  }

  #of(project: string): { readonly book: Book; readonly fixes: FixMemory } {
    const known = this.#projects.get(project)
    if (known !== undefined) return known
    const made = { book: new Book(), fixes: new FixMemory(this.#lines) }
    this.#projects.set(project, made)
    return made
  }
}

const toMoment = ({ author: agent, ...asked }: Asked): Moment => ({ ...asked, agent })
