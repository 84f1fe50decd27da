import { type Edits, editsBetween } from './diff.ts'
import { createGit } from './git.ts'
import { type Held, readHeld } from './held.ts'
import type { World } from './layer.ts'
import type { ObjectStore } from './object-store.ts'
import { filesAt, withoutBlocked } from './obstacles.ts'
import type { PathText } from './path-text.ts'
import { type Plan, planRestore } from './plan.ts'
import { ignoredIn } from './rules.ts'
import { shadowPlace } from './shadow-dir.ts'
import type { TakeOptions, Taker } from './taker.ts'

/** The way from the current files to a snapshot. */
export interface Way {
  startedAt: number
  now: Held
  target: Held
  edits: Edits
  plan: Plan
}

/** What is needed to find a way. The caller holds the lock. */
export interface Finding {
  world: World
  taker: Taker
  options: TakeOptions
}

/** Takes a snapshot that also holds the ignored files that the restore would overwrite, and plans the restore. */
export const findWay = async (
  { world, taker, options }: Finding,
  store: ObjectStore,
  id: string,
  how: { lines: boolean },
): Promise<Way> => {
  const target = await readHeld(store, id)
  const startedAt = world.now()
  let now = await taker.take(options)
  let edits = await editsOf(world, now, target, how)
  const also = await filesAt(world.shadow.tree, pathsOf(edits, 'from'))
  if (also.length > 0) {
    now = await taker.take({ ...options, also })
    edits = await editsOf(world, now, target, how)
  }
  const isSameRules =
    ![...edits.keys()].some((one) => /(^|\/)\.gitignore$/.test(one)) &&
    now.layers.length === target.layers.length &&
    now.layers.every(({ path, ignore }, at) => path === target.layers[at]?.path && ignore === target.layers[at].ignore)
  const rules = isSameRules ? [now] : [now, target]
  const ignored = await ignoredBy(world, store, pathsOf(edits, 'to'), rules)
  const wanted = planRestore(edits, now, target, ignored)
  const plan = await withoutBlocked(world.shadow.tree, wanted, pathsOf(edits, 'from'))
  return { startedAt, now, target, edits, plan }
}

export const editsOf = ({ shadow }: World, a: Held, b: Held, how = { lines: false }): Promise<Edits> =>
  editsBetween(createGit(shadowPlace(shadow)), shadow.format, [a, b], how)

/** A path is ignored by the rules of any of these: an agent may have deleted a rule that kept the user's secrets out. */
export const ignoredBy = async (
  { shadow }: World,
  store: ObjectStore,
  paths: PathText[],
  rules: readonly Held[],
): Promise<Set<PathText>> => {
  const ignored = new Set<PathText>()
  if (paths.length === 0) return ignored
  for (const held of rules) for (const one of await ignoredIn(shadow, store, held, paths)) ignored.add(one)
  return ignored
}

/** Paths that one side does not have. */
export const pathsOf = (edits: Edits, missing: 'from' | 'to'): PathText[] =>
  [...edits].filter(([, edit]) => edit[missing] === null).map(([one]) => one)
