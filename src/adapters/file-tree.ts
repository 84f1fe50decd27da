import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'

/** What is there: by its path, something that is another one whenever the file is. */
export type Files = Record<string, string>

interface Tree {
  files: Files
  /** By path, which directory it is: one that was made anew is another. */
  dirs: Map<string, string>
}

export interface Change {
  what: 'created' | 'changed' | 'deleted'
  file: string
  stamp: string
}

const wildcards: Record<string, string> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' }

/** `*` and `?` stay within a name, `**` does not; a glob without a slash means a name anywhere. */
export const globPattern = (glob: string): RegExp => {
  const anywhere = glob.includes('/') ? glob : `**/${glob}`
  const parts = anywhere.split(/(\*\*\/?|\*|\?)/)
  return new RegExp(
    `^${parts.map((part) => wildcards[part] ?? part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('')}$`,
    'su',
  )
}

const matches = (patterns: RegExp[], name: string): boolean => patterns.some((pattern) => pattern.test(name))

/** All files under `root` that are wanted, and all directories that could hold one. Links are not followed. */
export const readTree = async (root: string, wanted: RegExp[], ignored: RegExp[]): Promise<Tree> => {
  const tree: Tree = { files: {}, dirs: new Map() }
  const statsOf = (name: string) => lstat(path.join(root, name)).catch(() => null)
  const visit = async (dir: string): Promise<void> => {
    const stats = await statsOf(dir)
    // The number alone is soon given to another.
    tree.dirs.set(path.join(root, dir), `${stats?.ino}:${stats?.birthtimeMs}`)
    const entries = await readdir(path.join(root, dir), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const name = path.posix.join(dir, entry.name)
      if (matches(ignored, name)) continue
      if (entry.isDirectory()) await visit(name)
      else if (matches(wanted, name)) await note(name)
    }
  }
  const note = async (name: string): Promise<void> => {
    const stats = await statsOf(name)
    if (stats !== null) tree.files[name] = `${stats.ino}:${stats.mtimeMs}:${stats.size}`
  }
  await visit('')
  return tree
}

export const changesBetween = (before: Files, after: Files): Change[] => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return names.flatMap((file): Change[] => {
    const [old, stamp] = [before[file], after[file]]
    if (old === stamp) return []
    if (stamp === undefined) return [{ what: 'deleted', file, stamp: old ?? '' }]
    return [{ what: old === undefined ? 'created' : 'changed', file, stamp }]
  })
}
