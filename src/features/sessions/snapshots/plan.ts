import type { Edits } from './diff.ts'
import type { Held } from './held.ts'
import type { Skipped } from './look.ts'
import { isBelow, type PathText, parentsOf } from './path-text.ts'
import type { Entry } from './tree.ts'

type KeptReason = 'ignored' | 'not saved' | 'left out' | 'repository' | 'in the way'

/** A path that a restore leaves as it is, although it differs from the snapshot or is not in it. */
export interface Kept {
  path: PathText
  /**
   * Ignored files are never deleted. What could not be saved is neither deleted nor written over, nor is deleted what the
   * snapshot left out, or anything in a repository that it does not know. What is in the way of others is kept for one of these.
   */
  reason: KeptReason
}

export interface Plan {
  writes: Map<PathText, Entry>
  removals: Set<PathText>
  kept: Kept[]
  /** Repositories that are not in the target: nothing in them is deleted. */
  strange: PathText[]
}

/** Plans what to write, what to delete and what to leave alone on the way from now to the target. */
export const planRestore = (edits: Edits, now: Held, target: Held, ignored: ReadonlySet<PathText>): Plan => {
  const known = new Set(target.layers.map(({ path }) => path))
  const strange = now.layers.map(({ path }) => path).filter((path) => !known.has(path))
  const plan: Plan = { writes: new Map(), removals: new Set(), kept: [], strange }
  for (const [path, { to }] of edits) {
    let reason: KeptReason | null = null
    if (to === null && ignored.has(path)) reason = 'ignored'
    else if (to === null && strange.some((dir) => isBelow(path, dir))) reason = 'repository'
    else if (isAmong(now.skipped, path)) reason = 'not saved'
    else if (to === null && isAmong(target.skipped, path)) reason = 'left out'
    if (reason !== null) plan.kept.push({ path, reason })
    else if (to === null) plan.removals.add(path)
    else plan.writes.set(path, to)
  }
  return plan
}

/** A skipped directory, which ends with a slash, stands for everything below it. */
const isAmong = (skipped: readonly Skipped[], path: PathText): boolean =>
  skipped.some((one) => one.path === path || (one.path.endsWith('/') && path.startsWith(one.path)))

/** Deletions without which something cannot be written: files where a directory is wanted, and what is below a path that will be a file. */
export const inTheWay = ({ writes, removals }: Pick<Plan, 'writes' | 'removals'>): Set<PathText> => {
  const dirs = new Set([...writes.keys()].flatMap(parentsOf))
  return new Set([...removals].filter((one) => dirs.has(one) || parentsOf(one).some((dir) => writes.has(dir))))
}
