import { oddPaths } from './diff.ts'
import { codeOf, SnapshotError } from './errors.ts'
import { findFile } from './find-file.ts'
import { editsOf, type Finding, ignoredBy, pathsOf, type Way } from './find-way.ts'
import type { Held } from './held.ts'
import type { World } from './layer.ts'
import type { ObjectStore } from './object-store.ts'
import { filesAt } from './obstacles.ts'
import { isBelow, type PathText, parentsOf } from './path-text.ts'
import type { Kept } from './plan.ts'

/** Looks at a tree after a restore: what was found, and what has stayed although the target does not have it. */
export const verifyRestore = async (
  finding: Finding,
  store: ObjectStore,
  way: Way,
  failed: readonly PathText[],
): Promise<{ after: Held; kept: Kept[] }> => {
  const after = await lookAgain(finding, way)
  const uncovered = after.tree === way.target.tree ? [] : await compare(finding, store, after, way, failed)
  return { after, kept: [...way.plan.kept, ...uncovered.map((one): Kept => ({ path: one, reason: 'ignored' }))] }
}

/** What the target holds is looked at even where it is ignored now. */
const lookAgain = async ({ world, taker, options }: Finding, { target, plan }: Way): Promise<Held> => {
  const written = [...plan.writes.keys()]
  const drop = plan.kept.filter(({ reason }) => reason === 'ignored').map((one) => one.path)
  const objects = new Set([...plan.writes.values()].map((entry) => entry.id))
  const after = await taker.take({ ...options, also: written, drop, objects })
  if (after.tree === target.tree) return after
  const hidden = await filesAt(world.shadow.tree, pathsOf(await editsOf(world, after, target), 'from'))
  return hidden.length === 0 ? after : taker.take({ ...options, also: [...written, ...hidden], objects })
}

/** Returns what nobody ignores any more, because the target has no rule for it: it was not deleted. */
const compare = async (
  { world }: Finding,
  store: ObjectStore,
  after: Held,
  way: Way,
  failed: readonly PathText[],
): Promise<PathText[]> => {
  const { now, target, plan } = way
  const edits = await editsOf(world, after, target)
  const kept = new Set(plan.kept.flatMap(({ path }) => [path, ...parentsOf(path)]))
  const isOpen = (one: PathText): boolean => !kept.has(one.replace(/\/$/, ''))
  const more = new Set([...pathsOf(edits, 'to'), ...moreDirs(after, way)].filter(isOpen))
  const uncovered = await ignoredBy(world, store, [...more].map(withContent), [now])
  // One that the target does not have may stay for what is ignored in it, with the permissions it has.
  const modes = oddPaths(after, target).filter((one) => !one.endsWith('/') || target.modes.has(one))
  const others = [...edits.keys(), ...modes, ...(await missingDirs(world, target))].filter((one) => !more.has(one))
  const wrong = [...others.filter(isOpen), ...[...more].filter((one) => !uncovered.has(withContent(one)))]
  if (wrong.length > 0) throw unverified([...new Set([...wrong, ...failed])], now.id)
  return [...more]
}

const missingDirs = async ({ shadow }: World, { emptyDirs }: Held): Promise<PathText[]> => {
  const missing: PathText[] = []
  for (const dir of emptyDirs) if ((await findFile(shadow.tree, dir))?.isDirectory() !== true) missing.push(`${dir}/`)
  return missing
}

/** Empty directories that the target does not have. */
const moreDirs = (after: Held, { target, plan }: Way): PathText[] => {
  const known = new Set(target.emptyDirs)
  const more = after.emptyDirs.filter((dir) => !known.has(dir) && !plan.strange.some((one) => isBelow(dir, one)))
  return more.map((dir) => `${dir}/`)
}

/** A directory is ignored if what is in it is. */
const withContent = (one: PathText): PathText => (one.endsWith('/') ? `${one}anything` : one)

const unverified = (paths: readonly PathText[], before: string): SnapshotError =>
  new SnapshotError(
    'unverified',
    `${paths.length} paths are not as in the snapshot: ${paths.slice(0, 5).join(', ')}. All others are; the state before is snapshot ${before}.`,
    paths,
  )

export const unverifiable = (cause: unknown, before: string): SnapshotError =>
  new SnapshotError(
    'unverified',
    `The files were written, but whether all are as in the snapshot could not be told (${codeOf(cause) ?? String(cause)}); the state before is snapshot ${before}.`,
  )
