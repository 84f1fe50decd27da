import { oddPaths } from './diff.ts'
import { codeOf, SnapshotError } from './errors.ts'
import { findFile } from './find-file.ts'
import { editsOf, type Finding, ignoredBy, pathsOf, type Way } from './find-way.ts'
import type { Held } from './held.ts'

import type { ObjectStore } from './object-store.ts'
import { filesAt } from './obstacles.ts'
import { isBelow, type PathText, parentsOf } from './path-text.ts'
import type { Kept } from './plan.ts'

/** Checks a tree after a restore: the new state, and the paths that stayed although they are not in the target. */
export const verifyRestore = async (
  finding: Finding,
  store: ObjectStore,
  way: Way,
  failed: readonly PathText[],
): Promise<{ after: Held; kept: Kept[] }> => {
  const { world, taker, options } = finding
  const { target, plan } = way
  // Everything that the target holds is looked at, even where it is ignored now.
  const written = [...plan.writes.keys()]
  const drop = plan.kept.filter(({ reason }) => reason === 'ignored').map((one) => one.path)
  const objects = new Set([...plan.writes.values()].map((entry) => entry.id))
  let after = await taker.take({ ...options, also: written, drop, objects })
  if (after.tree !== target.tree) {
    const hidden = await filesAt(world.shadow.tree, pathsOf(await editsOf(world, after, target), 'from'))
    if (hidden.length > 0) after = await taker.take({ ...options, also: [...written, ...hidden], objects })
  }
  const uncovered = after.tree === target.tree ? [] : await compare(finding, store, after, way, failed)
  return { after, kept: [...plan.kept, ...uncovered.map((one): Kept => ({ path: one, reason: 'ignored' }))] }
}

/** Throws if a path is wrong. Returns files that were kept as ignored, but that the rules of the target do not ignore. */
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
  const emptyDirs = new Set(target.emptyDirs)
  const moreDirs = after.emptyDirs
    .filter((dir) => !emptyDirs.has(dir) && !plan.strange.some((one) => isBelow(dir, one)))
    .map((dir) => `${dir}/`)
  const more = new Set([...pathsOf(edits, 'to'), ...moreDirs].filter(isOpen))
  const uncovered = await ignoredBy(world, store, [...more].map(withContent), [now])
  // A directory that is not in the target may stay for the ignored files in it, with its permissions.
  const modes = oddPaths(after, target).filter((one) => !one.endsWith('/') || target.modes.has(one))
  const missing: PathText[] = []
  for (const dir of target.emptyDirs)
    if ((await findFile(world.shadow.tree, dir))?.isDirectory() !== true) missing.push(`${dir}/`)
  const others = [...edits.keys(), ...modes, ...missing].filter((one) => !more.has(one))
  const wrong = [...others.filter(isOpen), ...[...more].filter((one) => !uncovered.has(withContent(one)))]
  if (wrong.length === 0) return [...more]
  const paths = [...new Set([...wrong, ...failed])]
  throw new SnapshotError(
    'unverified',
    `${paths.length} paths are not as in the snapshot: ${paths.slice(0, 5).join(', ')}. All others are; the state before is snapshot ${now.id}.`,
    paths,
  )
}

/** A directory counts as ignored if its content is. */
const withContent = (one: PathText): PathText => (one.endsWith('/') ? `${one}anything` : one)

export const unverifiable = (cause: unknown, before: string): SnapshotError =>
  new SnapshotError(
    'unverified',
    `The files were written, but whether all are as in the snapshot could not be told (${codeOf(cause) ?? String(cause)}); the state before is snapshot ${before}.`,
  )
