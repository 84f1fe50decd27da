import { readFileSync, realpathSync } from 'node:fs'
import type { RuleBook, RulesOfPlace } from '../book.ts'
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
    const rest = rootsIn(textOf(file) ?? '')
    book.onChanged((place) => this.#note(place))
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

  #note({ root, set }: RulesOfPlace): void {
    this.#sets.set(root, set)
    void this.#write()
  }

  /** One after the other, each with what is known by then. */
  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeNow()).catch(this.#parts.onTrouble)
    return this.#writing
  }

  async #writeNow(): Promise<void> {
    const text = prefilterFile(linesOf(this.#sets), this.#parts.judge)
    // The file may have been deleted or changed meanwhile.
    if (text !== textOf(this.#parts.file)) await writeFileAtomic(this.#parts.file, text)
  }
}

/** Rules that hold everywhere are listed once. */
const linesOf = (sets: ReadonlyMap<string | null, RuleSet>): PrefilterLine[] => {
  const everywhere = heldOf(sets.get(null))
  const isEverywhere = (guard: LoadedRule): boolean => everywhere.some((one) => keyOf(one) === keyOf(guard))
  return Array.from(sets, ([root, set]) =>
    root === null
      ? everywhere.flatMap((guard) => linesFor(guard, '/'))
      : heldOf(set)
          .filter((guard) => !isEverywhere(guard))
          .flatMap((guard) => linesFor(guard, realRoot(root))),
  ).flat()
}

const linesFor = (guard: LoadedRule, root: string): PrefilterLine[] =>
  prefilter(guard.rule, root).map((line) => ({ ...line, rule: toldName(guard) }))

const heldOf = (set: RuleSet | undefined): LoadedRule[] =>
  (set?.rules ?? []).filter(({ rule }) => rule.enabled && holdsWithoutDaemon(rule))

const keyOf = ({ file, rule }: LoadedRule): string => `${file}\n${rule.name}`

/** As the guard sees it, which follows links. A name that the file cannot hold stands for every directory. */
const realRoot = (root: string): string => {
  const real = pathOf(root)
  return /[\t\n]/.test(real) ? '/' : real
}

const pathOf = (root: string): string => {
  try {
    return realpathSync(root)
  } catch {
    return root
  }
}

const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

const rootsIn = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([kind = '', root]) => /^(?:guard|rule)$/.test(kind) && root !== '/')
      .map(([, root = '']) => root),
  ),
]
