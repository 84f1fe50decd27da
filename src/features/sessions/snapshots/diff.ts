import { type Git, splitNul } from './git.ts'
import type { Held } from './held.ts'
import { joined, type PathText, parentsOf, pathText } from './path-text.ts'
import type { ObjectFormat } from './repository.ts'
import { type Entry, linkMode } from './tree.ts'

type ChangeKind = 'added' | 'deleted' | 'modified' | 'type' | 'mode'

/** One path that differs between two snapshots; a directory ends with a slash. */
export interface Change {
  path: PathText
  kind: ChangeKind
  /** Lines; null where they cannot be counted. */
  added: number | null
  removed: number | null
  isBinary: boolean
}

interface Lines {
  added: number
  removed: number
}

/** The entry of a path before and after. */
interface Edit {
  from: Entry | null
  to: Entry | null
  /** Null for what has no lines. */
  lines: Lines | null
}

export type Edits = Map<PathText, Edit>

/** Known to git without being stored. */
const emptyTree: Record<ObjectFormat, string> = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}

const diffTree = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-ext-diff', '--no-textconv']

const showPatch = ['diff-tree', '-r', '-p', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color']

/** The files that differ, of all layers together: a file that only moved from one layer to another does not. */
export const editsBetween = async (
  git: Git,
  format: ObjectFormat,
  [a, b]: readonly [Held, Held],
  how: { lines: boolean },
): Promise<Edits> => {
  const paths = new Set([...a.layers, ...b.layers].map(({ path }) => path))
  const all: Edits = new Map()
  for (const path of paths) {
    const [from, to] = [filesIn(a, path, format), filesIn(b, path, format)]
    if (from === to) continue
    const { stdout } = await git([...diffTree, ...(how.lines ? ['--numstat'] : []), from, to])
    for (const [file, edit] of parseDiff(stdout)) {
      const [key, other] = [joined(path, file), all.get(joined(path, file))]
      const merged = other === undefined ? edit : mergeEdits(other, edit)
      if (merged.from?.id === merged.to?.id && merged.from?.mode === merged.to?.mode) all.delete(key)
      else all.set(key, merged)
    }
  }
  return all
}

/** The two halves of a file that moved from one layer to another. */
const mergeEdits = (a: Edit, b: Edit): Edit => ({
  from: a.from ?? b.from,
  to: a.to ?? b.to,
  lines:
    a.lines === null || b.lines === null
      ? null
      : { added: a.lines.added + b.lines.added, removed: a.lines.removed + b.lines.removed },
})

/** The differences as `git diff` prints them, layer after layer. */
export const patchBetween = async (git: Git, format: ObjectFormat, [a, b]: readonly [Held, Held]): Promise<string> => {
  const paths = new Set([...a.layers, ...b.layers].map(({ path }) => path))
  const patches: string[] = []
  for (const path of paths) {
    const [from, to] = [a, b].map((held) => filesIn(held, path, format)) as [string, string]
    const inside = path === '' ? '' : `${path}/`
    const { stdout } = await git([...showPatch, `--src-prefix=a/${inside}`, `--dst-prefix=b/${inside}`, from, to])
    patches.push(stdout.toString())
  }
  return patches.join('')
}

const filesIn = (held: Held, path: PathText, format: ObjectFormat): string =>
  held.layers.find((layer) => layer.path === path)?.files ?? emptyTree[format]

/** `:mode mode id id letter`, path, … and after these, if asked for, `added TAB removed TAB path`, … */
export const parseDiff = (output: Buffer): Edits => {
  const edits: Edits = new Map()
  const parts = splitNul(output)
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? Buffer.alloc(0)
    if (part[0] === ':'.charCodeAt(0)) {
      at += 1
      const [fromMode = '', toMode = '', fromId = '', toId = ''] = part.toString('latin1', 1).split(' ')
      const edit = { from: entryOf(fromMode, fromId), to: entryOf(toMode, toId), lines: null }
      edits.set(pathText(parts[at] ?? Buffer.alloc(0)), edit)
    } else {
      const [first, second] = [part.indexOf(9), part.indexOf(9, part.indexOf(9) + 1)]
      const [added, removed] = [part.toString('latin1', 0, first), part.toString('latin1', first + 1, second)]
      const edit = edits.get(pathText(part.subarray(second + 1)))
      if (edit !== undefined && added !== '-') edit.lines = { added: Number(added), removed: Number(removed) }
    }
  }
  return edits
}

const entryOf = (mode: string, id: string): Entry | null => (/^0+$/.test(mode) ? null : { mode, id })

/** All differences: files, permissions, empty directories. */
export const changesOf = (edits: Edits, a: Held, b: Held): Change[] => {
  const files = Array.from(edits, ([path, { from, to, lines }]): Change => {
    let kind: ChangeKind = from === null ? 'added' : 'deleted'
    if (from !== null && to !== null) {
      if ((from.mode === linkMode) !== (to.mode === linkMode)) kind = 'type'
      else kind = from.id === to.id ? 'mode' : 'modified'
    }
    return { path, kind, added: lines?.added ?? null, removed: lines?.removed ?? null, isBinary: lines === null }
  })
  const above = new Set([...edits.keys()].flatMap(parentsOf))
  const isEdited = (path: PathText): boolean => edits.has(path) || above.has(path.replace(/\/$/, ''))
  const madeDirs = (from: Held, to: Held, kind: ChangeKind): Change[] => {
    const known = new Set(from.emptyDirs)
    const made = to.emptyDirs.filter((dir) => !known.has(dir)).map((dir) => `${dir}/`)
    return made.filter((dir) => !isEdited(dir)).map((dir) => lineless(dir, kind))
  }
  const dirs = [...madeDirs(a, b, 'added'), ...madeDirs(b, a, 'deleted')]
  const told = new Set(dirs.map((dir) => dir.path))
  const modes = oddPaths(a, b).filter((path) => !isEdited(path) && !told.has(path))
  const all = [...files, ...dirs, ...modes.map((path) => lineless(path, 'mode'))]
  return all.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** Paths, directories with a slash, that have other permissions. */
export const oddPaths = (a: Held, b: Held): PathText[] =>
  [...new Set([...a.modes.keys(), ...b.modes.keys()])].filter((path) => a.modes.get(path) !== b.modes.get(path))

const lineless = (path: PathText, kind: ChangeKind): Change => ({
  path,
  kind,
  added: null,
  removed: null,
  isBinary: false,
})
