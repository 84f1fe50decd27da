import { lstat, readdir } from 'node:fs/promises'
import { joined, type PathText, parentsOf, pathAt, pathText } from './path-text.ts'
import type { Plan } from './plan.ts'

/** Files that there are on disk under these paths: they would be written over. */
export const filesAt = async (tree: string, paths: Iterable<PathText>): Promise<PathText[]> => {
  const found: PathText[] = []
  for (const one of paths) {
    const stat = await lstat(pathAt(tree, one)).catch(() => null)
    if (stat !== null && !stat.isDirectory()) found.push(one)
  }
  return found
}

/** Takes out of a plan what cannot be written because something that stays has its place. */
export const withoutBlocked = async (tree: string, plan: Plan): Promise<Plan> => {
  const isFree = freeDirs(tree, plan.removals)
  const blocked: PathText[] = []
  for (const one of plan.writes.keys())
    if (!(await isFree(one)) || !(await isReplaceable(tree, one, plan.removals))) blocked.push(one)
  return {
    ...plan,
    writes: new Map([...plan.writes].filter(([one]) => !blocked.includes(one))),
    kept: [...plan.kept, ...blocked.map((path) => ({ path, reason: 'in the way' as const }))],
  }
}

/** Whether the directories above a path are there, or can be made. */
const freeDirs = (tree: string, removals: ReadonlySet<PathText>): ((one: PathText) => Promise<boolean>) => {
  const known = new Map<PathText, boolean>()
  const isFree = async (dir: PathText): Promise<boolean> => {
    const stat = await lstat(pathAt(tree, dir)).catch(() => null)
    return stat === null || stat.isDirectory() || removals.has(dir)
  }
  return async (one) => {
    for (const dir of parentsOf(one)) {
      if (!known.has(dir)) known.set(dir, await isFree(dir))
      if (known.get(dir) === false) return false
    }
    return true
  }
}

/** A directory can be replaced by a file if nothing in it stays. */
const isReplaceable = async (tree: string, one: PathText, removals: ReadonlySet<PathText>): Promise<boolean> => {
  const stat = await lstat(pathAt(tree, one)).catch(() => null)
  if (stat === null || !stat.isDirectory()) return true
  for (const name of await readdir(pathAt(tree, one), { encoding: 'buffer' })) {
    const inner = joined(one, pathText(name))
    const found = await lstat(pathAt(tree, inner)).catch(() => null)
    if (found === null || removals.has(inner)) continue
    if (!found.isDirectory() || !(await isReplaceable(tree, inner, removals))) return false
  }
  return true
}
