import { type BigIntStats, lstatSync } from 'node:fs'
import path from 'node:path'
import { onBeat } from '../../base/util/beat.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { standIns } from './guard/stand-in.ts'
import { loadRules, toRuleSet } from './load.ts'
import { keyOf } from './memory.ts'
import {
  packProblems,
  projectRoot,
  projectRuleFiles,
  projectRules,
  rootProblems,
  rootsDownTo,
  ruleFilesIn,
  type RulePaths,
  ruleSources,
} from './sources.ts'
import { trustFile } from '../../agents/trust/trusted.ts'
import type { LoadedRule, RuleProblem, RuleSet, RuleSource } from './types.ts'

interface RuleBookOptions {
  paths: RulePaths
  /** The packs that are on in a project. */
  packs: (root: string | null) => Promise<readonly string[]>
  /** Rules that every project has which has any. */
  builtIn?: (root: string | null) => readonly RuleSource[]
}

export interface RulesOfPlace {
  root: string | null
  set: RuleSet
}

/** How the files that rules come from look from outside. */
interface Print {
  text: string
  /** Clocks of file systems tick slowly: what was written just now may be written again without a trace. */
  isSettled: boolean
}

interface Page {
  print: Print
  /** Problems outside of the files. */
  told: string
  sources: readonly RuleSource[]
  set: RuleSet
}

const pagesKept = 200

/** The rules of every project that was asked for, always as their files are now. */
export class RuleBook {
  readonly #options: RuleBookOptions
  readonly #pages = new BoundedMap<string | null, Page>(pagesKept)
  readonly #loading = new Map<string | null, Promise<Page>>()
  readonly #listeners = new Set<(place: RulesOfPlace) => void>()

  constructor(options: RuleBookOptions) {
    this.#options = options
  }

  async rulesFor(cwd: string): Promise<RulesOfPlace> {
    return this.rulesAt(projectRoot(cwd))
  }

  async rulesAt(root: string | null): Promise<RulesOfPlace> {
    const { set } = await this.#fresh(root)
    return { root, set }
  }

  /** Calls back with each new set, also the first of a project. Returns how to stop. */
  onChanged(listener: (place: RulesOfPlace) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Looks at all known projects, to notice changes while no agent calls. */
  async refresh(): Promise<void> {
    await Promise.all(Array.from(this.#pages.keys(), (root) => this.#fresh(root)))
  }

  /** The same about every second. Returns how to stop. */
  follow(onTrouble: (cause: unknown) => void): () => void {
    return onBeat(1000, () => void this.refresh().catch(onTrouble))
  }

  async #fresh(root: string | null): Promise<Page> {
    const packs = await this.#options.packs(root)
    const print = printOf(root, this.#options.paths, packs)
    const page = this.#pages.get(root)
    if (page?.print.isSettled === true && page.print.text === print.text) return page
    // A load that is already running may return the old state: so look once more after it.
    const running = this.#loading.get(root)
    if (running !== undefined) {
      await running
      return this.#fresh(root)
    }
    const loading = this.#load(root, packs, print).finally(() => this.#loading.delete(root))
    this.#loading.set(root, loading)
    return loading
  }

  async #load(root: string | null, packs: readonly string[], print: Print): Promise<Page> {
    const { paths, builtIn } = this.#options
    const before = this.#pages.get(root)
    const own = await ruleSources(root, paths, packs)
    const problems = [...packProblems(packs), ...rootProblems(root)]
    const all = own.length + problems.length === 0 ? [] : [...(builtIn?.(root) ?? []), ...own]
    const sources = all.map((source) => before?.sources.find((known) => isSame(known, source)) ?? source)
    const told = JSON.stringify(problems)
    const isAsBefore =
      before?.told === told &&
      before.sources.length === sources.length &&
      sources.every((source, index) => source === before.sources[index])
    const set = isAsBefore ? before.set : await makeSet(sources, problems, before?.set)
    const page = { print, told, sources, set }
    this.#pages.set(root, page)
    if (set !== before?.set) for (const listener of this.#listeners) listener({ root, set })
    return page
  }
}

const makeSet = async (
  sources: readonly RuleSource[],
  beside: readonly RuleProblem[],
  before: RuleSet | undefined,
): Promise<RuleSet> => {
  const { rules, problems } = await loadRules(sources, true)
  const now = toRuleSet(rules, [...beside, ...problems])
  const kept = keepGuards(now, before, sources)
  // A broken rule stays as it was before; so do all guards of an unreadable file.
  const open = now.problems.filter(
    (problem) =>
      !kept.some(
        (loaded) =>
          isFrom(loaded, problem) &&
          (problem.guard === undefined ? loaded.rule.guard : problem.guard.name === loaded.rule.name),
      ),
  )
  return toRuleSet(
    [...now.rules, ...kept, ...standIns(open)],
    now.problems.map((problem) => {
      const names = kept.filter((loaded) => isFrom(loaded, problem)).map(({ rule }) => rule.name)
      if (names.length === 0) return problem
      const still = `as it was before this, ${names.join(', ')} in ${path.basename(problem.file)} still ${names.length > 1 ? 'hold' : 'holds'}`
      return { ...problem, message: `${problem.message} (${still})` }
    }),
  )
}

const isSame = (one: RuleSource, other: RuleSource): boolean =>
  one.file === other.file &&
  one.text === other.text &&
  one.isTrusted === other.isTrusted &&
  one.isUnread === other.isUnread

const tickMs = 50

const printOf = (root: string | null, { userRules, state }: RulePaths, packs: readonly string[]): Print => {
  const roots = rootsDownTo(root)
  const now = Date.now()
  const files = [...ruleFilesIn(userRules), ...roots.flatMap(projectRuleFiles), ...roots.map(projectRules)]
  const looks = [...files, trustFile(state)].map(lookAtFile)
  return {
    text: [...packs, ...looks.map(({ look }) => look)].join('\n'),
    isSettled: looks.every(({ changedMs }) => changedMs < now - tickMs),
  }
}

const lookAtFile = (file: string): { look: string; changedMs: number } => {
  let stats: BigIntStats | undefined
  try {
    stats = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  } catch {
    stats = undefined
  }
  if (stats === undefined) return { look: `${file}:-`, changedMs: 0 }
  const { ino, size, mtimeNs, ctimeNs, ctimeMs } = stats
  return { look: `${file}:${ino}:${size}:${mtimeNs}:${ctimeNs}`, changedMs: Number(ctimeMs) }
}

/** Guards stay in force while their file cannot be read; only a valid file, or its absence, ends them. */
const keepGuards = (now: RuleSet, before: RuleSet | undefined, sources: readonly RuleSource[]): LoadedRule[] => {
  const broken = new Set(now.problems.filter(({ isLoaded }) => isLoaded !== true).map(({ file }) => file))
  const names = new Set(now.rules.map(keyOf))
  return (before?.rules ?? []).filter(
    (loaded) =>
      loaded.rule.action === 'block' &&
      loaded.isStandIn !== true &&
      !names.has(keyOf(loaded)) &&
      (broken.has(path.dirname(loaded.file)) ||
        (broken.has(loaded.file) && sources.some(({ file }) => file === loaded.file))),
  )
}

const isFrom = ({ file }: LoadedRule, problem: RuleProblem): boolean =>
  file === problem.file || path.dirname(file) === problem.file
