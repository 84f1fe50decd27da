import { type Command } from '../../contract/command.ts'
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

/** What is known of one project. */
interface ProjectMemory {
  readonly book: Book
  readonly fixes: FixMemory
}

interface Saved {
  readonly version: 1
  /** Up to which command everything is learnt. */
  readonly position: number
  readonly projects: readonly (readonly [string, { book: BookSnapshot; fixes: FixSnapshot }])[]
}

const headBytes = 4

/** All that was learnt from commands, in memory. It can be made anew from them at any time. */
export class Model {
  readonly #lines = new LineCache()
  readonly #predictor: Predictor
  readonly #projects = new Map<string, ProjectMemory>()

  constructor(predictor = new Predictor(trainedWeights())) {
    this.#predictor = predictor
  }

  learn(project: string, heard: Command): void {
    const command = toLearn(heard, this.#lines)
    if (command === null) return
    const { book, fixes } = this.#of(project)
    const { session, output, edited } = command
    const exit = exitOf(command)
    const line = this.#lines.read(command.command)
    this.#predictor.observe({
      ...momentOf({ ...command, project, cwd: command.cwd ?? '', time: command.at ?? 0 }),
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

  /** What comes next, likeliest first. */
  next(asked: Asked, limit: number): Prediction[] {
    return this.#predictor.predict(momentOf(asked), limit)
  }

  /** What begins like this, likeliest first. */
  complete(asked: Asked, prefix: string, limit: number): Prediction[] {
    return this.#predictor.complete(momentOf(asked), prefix, limit)
  }

  diagnose(project: string, failure: Failure): Diagnosis {
    return diagnose(failure, this.#lines.read(failure.command), this.#of(project).fixes)
  }

  /** A line as it is to be run from here; null if it was never run in this project. */
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

  /** Null if it is damaged or of another version: then everything is learnt again. */
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

  #of(project: string): ProjectMemory {
    const known = this.#projects.get(project)
    if (known !== undefined) return known
    const made = { book: new Book(), fixes: new FixMemory(this.#lines) }
    this.#projects.set(project, made)
    return made
  }
}

/** A CLI may say that a command failed and not with what. */
const exitOf = ({ exit, outcome }: Command): number | null => {
  if (outcome === 'ok') return 0
  return outcome === 'failed' ? (exit ?? 1) : null
}

const momentOf = ({ project, session, author, cwd, time, tools, edited }: Asked): Moment => ({
  project,
  session,
  agent: author,
  cwd,
  time,
  ...(tools !== undefined && { tools }),
  ...(edited !== undefined && { edited }),
})
