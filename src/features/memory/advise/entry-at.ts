import { statSync } from 'node:fs'
import type { EntryAt } from './rewrite.ts'

/** What cannot be looked at is taken for something else than a directory. */
export const entryAt: EntryAt = (path) => {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return null
    return stats.isDirectory() ? 'directory' : 'other'
  } catch {
    return 'other'
  }
}
