import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { groupBy } from '../../../base/util/group.ts'
import { randomBytes } from '../../../base/util/random.ts'
import { createGit, joinNul, splitNul } from './git.ts'
import type { Held, HeldLayer } from './held.ts'
import type { ObjectStore } from './object-store.ts'
import { isBelow, joined, type PathText, parentsOf, pathAt, pathBytes, pathText } from './path-text.ts'
import { makeGitDir, type ShadowDir, shadowPlace } from './shadow-dir.ts'
import { dirMode, type Tree } from './tree.ts'

/** The paths that are ignored by the rules of a snapshot. Git decides, in a tree with nothing but these rules. */
export const ignoredIn = async (
  shadow: ShadowDir,
  store: ObjectStore,
  held: Held,
  paths: readonly PathText[],
): Promise<Set<PathText>> => {
  const ignored = new Set<PathText>()
  for (const [layer, group] of groupBy(paths, (one) => layerOf(held, one))) {
    const inside = group.map((one) => insideOf(layer, one))
    for (const one of await listIgnored(shadow, store, layer, inside)) ignored.add(joined(layer.path, one))
  }
  return ignored
}

/** The innermost repository that contains a path. */
export const layerOf = ({ layers }: Held, one: PathText): HeldLayer =>
  layers
    .filter((layer) => isBelow(one, layer.path))
    .reduce((best, layer) => (layer.path.length >= best.path.length ? layer : best))

/** A path of the work tree, relative to its layer. */
export const insideOf = ({ path: dir }: Pick<HeldLayer, 'path'>, one: PathText): PathText =>
  dir === '' ? one : one.slice(dir.length + 1)

const listIgnored = async (
  shadow: ShadowDir,
  store: ObjectStore,
  layer: HeldLayer,
  paths: PathText[],
): Promise<PathText[]> => {
  const dir = path.join(shadow.path, 'tmp', randomBytes(8).toString('hex'))
  const [gitDir, tree] = [path.join(dir, 'git'), path.join(dir, 'tree')]
  try {
    await Promise.all([makeGitDir(gitDir, shadow.format), mkdir(tree, { recursive: true })])
    await writeFile(path.join(gitDir, 'info/exclude'), layer.ignore, 'latin1')
    const trees = new Map<PathText, Tree | null>([['', await store.readTree(layer.files)]])
    for (const one of new Set(['', ...paths.flatMap(parentsOf)])) {
      const found = (await treeAt(store, trees, one))?.get('.gitignore')
      if (found === undefined || !found.mode.startsWith('100')) continue
      await mkdir(pathAt(tree, one), { recursive: true })
      await writeFile(pathAt(tree, joined(one, '.gitignore')), await store.read(found.id, 'blob'))
    }
    const git = createGit(shadowPlace(shadow, gitDir, tree))
    // The prefix ./ keeps git from reading pathspec magic into a path.
    const input = joinNul(paths.map((one) => pathBytes(`./${one}`)))
    const options = { input, answers: [1], env: { GIT_LITERAL_PATHSPECS: undefined } }
    const { stdout } = await git(['check-ignore', '-z', '--no-index', '--stdin'], options)
    return splitNul(stdout).map((one) => pathText(one.subarray(2)))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const treeAt = async (store: ObjectStore, trees: Map<PathText, Tree | null>, dir: PathText): Promise<Tree | null> => {
  const known = trees.get(dir)
  if (known !== undefined) return known
  const slash = dir.lastIndexOf('/')
  const above = await treeAt(store, trees, dir.slice(0, Math.max(0, slash)))
  const entry = above?.get(dir.slice(slash + 1))
  const tree = entry?.mode === dirMode ? await store.readTree(entry.id) : null
  trees.set(dir, tree)
  return tree
}
