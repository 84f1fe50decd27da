import { readFileSync, realpathSync } from 'node:fs'
import type { RuleBook } from '../book.ts'
import { type GuardJudge, type PrefilterLine, prefilter, prefilterFile } from './prefilter.ts'
import { toldName } from './stand-in.ts'
import { holdsWithoutDaemon } from './without-daemon.ts'
import { projectRoot } from '../sources.ts'
import type { LoadedRule, RuleSet } from '../types.ts'
import { writeFileAtomic } from '../../../base/util/atomic-write.ts'

interface Parts {
  book: RuleBook
  file: string
  /** Directories in which agents are, or were set up to be. */
  places: () => readonly string[]
  /** The judge for times when no daemon answers. */
  judge: GuardJudge | null
  onTrouble: (cause: unknown) => void
}

/** Keeps the file that guards, and other rules as far as possible, are held by while no daemon answers: always there, and always as the rules are. */
export class Guards {
  readonly #parts: Parts
  readonly #sets = new Map<string | null, RuleSet>()
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Begins with the projects of the file as it is: their agents may be gone, but others may be started there by hand. */
  async open(): Promise<void> {
    const { book, file } = this.#parts
    const written = (readText(file) ?? '').split('\n').map((line) => line.split('\t'))
    const rest = new Set(
      written.filter(([kind = '', root]) => /^(?:guard|rule)$/.test(kind) && root !== '/').map(([, root = '']) => root),
    )
    book.onChanged(({ root, set }) => {
      this.#sets.set(root, set)
      void this.#write()
    })
    for (const root of [null, ...rest]) this.#sets.set(root, (await book.rulesAt(root)).set)
    await this.look()
  }

  /** For changes of which no agent's call has told. */
  async look(): Promise<void> {
    const { book, places } = this.#parts
    const roots = new Set([...this.#sets.keys(), ...places().map(projectRoot)])
    for (const root of roots) this.#sets.set(root, (await book.rulesAt(root)).set)
    await this.#write()
  }

  /** One after the other, each with what is known by then. */
  #write(): Promise<void> {
    const { file, judge, onTrouble } = this.#parts
    const writeNow = async (): Promise<void> => {
      const text = prefilterFile(linesFor(this.#sets), judge)
      // The file may have been deleted or changed meanwhile.
      if (text !== readText(file)) await writeFileAtomic(file, text)
    }
    this.#writing = this.#writing.then(writeNow).catch(onTrouble)
    return this.#writing
  }
}

const listGuards = (set: RuleSet | undefined): LoadedRule[] =>
  (set?.rules ?? []).filter(({ rule }) => rule.enabled && holdsWithoutDaemon(rule))

const guardKey = ({ file, rule }: LoadedRule): string => `${file}\n${rule.name}`

/** Rules that hold everywhere are listed once. */
const linesFor = (sets: ReadonlyMap<string | null, RuleSet>): PrefilterLine[] => {
  const everywhere = listGuards(sets.get(null))
  const keys = new Set(everywhere.map(guardKey))
  return Array.from(sets, ([root, set]) => {
    const guards = root === null ? everywhere : listGuards(set).filter((guard) => !keys.has(guardKey(guard)))
    const top = root === null ? '/' : realRoot(root)
    return guards.flatMap((guard) => prefilter(guard.rule, top).map((line) => ({ ...line, rule: toldName(guard) })))
  }).flat()
}

/** As the guard sees it, which follows links. A name that the file cannot hold stands for every directory. */
const realRoot = (root: string): string => {
  let real = root
  try {
    real = realpathSync(root)
  } catch {
    // It is gone: nothing can follow its links.
  }
  return /[\t\n]/.test(real) ? '/' : real
}

const readText = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
