import { readdir } from 'node:fs/promises'
import { findFile, type KnownDirs } from './find-file.ts'
import { inParallel } from './parallel.ts'
import { joined, type PathText, parentsOf, pathAt, pathText } from './path-text.ts'
import type { Plan } from './plan.ts'

const atOnce = 16

/** The paths that have a file on disk, which would be overwritten. */
export const filesAt = async (tree: string, paths: readonly PathText[]): Promise<PathText[]> => {
  const [found, known]: [PathText[], KnownDirs] = [[], new Map()]
  await inParallel(paths, atOnce, async (one) => {
    const stat = await findFile(tree, one, known)
    if (stat !== null && !stat.isDirectory()) found.push(one)
  })
  return found
}

/** Removes writes from a plan whose place is taken by something that stays; that happens to added paths only. */
export const withoutBlocked = async (tree: string, plan: Plan, added: readonly PathText[]): Promise<Plan> => {
  const dirs = [...new Set(added.flatMap(parentsOf))]
  const taken = new Set((await filesAt(tree, dirs)).filter((dir) => !plan.removals.has(dir)))
  const blocked = new Set<PathText>()
  await inParallel(added, atOnce, async (one) => {
    const isBelowFile = parentsOf(one).some((dir) => taken.has(dir))
    if (isBelowFile || !(await isReplaceable(tree, one, plan.removals))) blocked.add(one)
  })
  if (blocked.size === 0) return plan
  const kept = [...blocked]
    .filter((one) => plan.writes.has(one))
    .map((path) => ({ path, reason: 'in the way' as const }))
  const writes = new Map([...plan.writes].filter(([one]) => !blocked.has(one)))
  return { ...plan, writes, kept: [...plan.kept, ...kept] }
}

/** A directory can be replaced by a file if nothing in it stays. */
const isReplaceable = async (tree: string, one: PathText, removals: ReadonlySet<PathText>): Promise<boolean> => {
  const stat = await findFile(tree, one)
  if (stat === null || removals.has(one)) return true
  if (!stat.isDirectory()) return false
  for (const name of await readdir(pathAt(tree, one), { encoding: 'buffer' }))
    if (!(await isReplaceable(tree, joined(one, pathText(name)), removals))) return false
  return true
}
