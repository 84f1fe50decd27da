import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { isAbsent } from './errors.ts'
import { type PathText, parentsOf, pathAt } from './path-text.ts'

/** Remembers which directories are real ones. */
export type KnownDirs = Map<PathText, Promise<boolean>>

/** The file at a path of the tree; null also where a link replaces a directory above it. */
export const findFile = async (tree: string, path: PathText, known: KnownDirs = new Map()): Promise<Stats | null> => {
  for (const dir of parentsOf(path)) {
    const isDir = known.get(dir) ?? look(tree, dir).then((found) => found?.isDirectory() === true)
    known.set(dir, isDir)
    if (!(await isDir)) return null
  }
  return look(tree, path)
}

const look = (tree: string, path: PathText): Promise<Stats | null> =>
  lstat(pathAt(tree, path)).catch((cause: unknown) => {
    if (isAbsent(cause)) return null
    throw cause
  })
