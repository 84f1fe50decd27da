import { createGit, type Git, splitNul } from './git.ts'
import type { Held } from './held.ts'
import { joined, type PathText, pathText } from './path-text.ts'
import { type ShadowDir, shadowPlace } from './shadow-dir.ts'
import { dirMode, type Entry, linkMode } from './tree.ts'

export type ChangeKind = 'added' | 'deleted' | 'modified' | 'type' | 'mode'

/** One path that two snapshots have differently; a directory ends with a slash. */
export interface Change {
  path: PathText
  kind: ChangeKind
  /** Lines; null where there are none to count. */
  added: number | null
  removed: number | null
  isBinary: boolean
}

/** What a path stands for before and after. */
export interface Edit {
  from: Entry | null
  to: Entry | null
  lines?: { added: number; removed: number } | null
}

export type Edits = Map<PathText, Edit>
