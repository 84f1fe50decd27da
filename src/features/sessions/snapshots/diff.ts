import { type Git, splitNul } from './git.ts'
import type { Held } from './held.ts'
import { joined, type PathText, parentsOf, pathText } from './path-text.ts'
import type { ObjectFormat } from './repository.ts'
import { type Entry, linkMode } from './tree.ts'

export type ChangeKind = 'added' | 'deleted' | 'modified' | 'type' | 'mode'

/** One path that two snapshots have differently; a directory ends with a slash. */
export interface Change {
  path: PathText
  kind: ChangeKind
  /** Lines; null where none can be counted. */
  added: number | null
  removed: number | null
  isBinary: boolean
}

interface Lines {
  added: number
  removed: number
}

/** What a path stands for before and after. */
export interface Edit {
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
    for (const [file, edit] of parseDiff(stdout)) addEdit(all, joined(path, file), edit)
  }
  return all
}

/** The same as people read it, of all layers one after the other. */
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

const addEdit = (all: Edits, path: PathText, edit: Edit): void => {
  const other = all.get(path)
  const merged =
    other === undefined
      ? edit
      : { from: other.from ?? edit.from, to: other.to ?? edit.to, lines: sum(other.lines, edit.lines) }
  if (merged.from?.id === merged.to?.id && merged.from?.mode === merged.to?.mode) all.delete(path)
  else all.set(path, merged)
}

const sum = (a: Lines | null, b: Lines | null): Lines | null =>
  a === null || b === null ? null : { added: a.added + b.added, removed: a.removed + b.removed }

/** `:mode mode id id letter`, path, … and after these, if asked for, `added TAB removed TAB path`, … */
export const parseDiff = (output: Buffer): Edits => {
  const edits: Edits = new Map()
  const parts = splitNul(output)
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? Buffer.alloc(0)
    if (part[0] === ':'.charCodeAt(0)) {
      at += 1
      edits.set(pathText(parts[at] ?? Buffer.alloc(0)), parseRaw(part.toString('latin1')))
    } else setLines(edits, part)
  }
  return edits
}

const parseRaw = (text: string): Edit => {
  const [fromMode = '', toMode = '', fromId = '', toId = ''] = text.slice(1).split(' ')
  return { from: entryOf(fromMode, fromId), to: entryOf(toMode, toId), lines: null }
}

const entryOf = (mode: string, id: string): Entry | null => (/^0+$/.test(mode) ? null : { mode, id })

const setLines = (edits: Edits, part: Buffer): void => {
  const [first, second] = [part.indexOf(9), part.indexOf(9, part.indexOf(9) + 1)]
  const [added, removed] = [part.toString('latin1', 0, first), part.toString('latin1', first + 1, second)]
  const edit = edits.get(pathText(part.subarray(second + 1)))
  if (edit !== undefined && added !== '-') edit.lines = { added: Number(added), removed: Number(removed) }
}

/** All that differs, for people to read: files, permissions, empty directories. */
export const changesOf = (edits: Edits, a: Held, b: Held): Change[] => {
  const files = Array.from(edits, ([path, edit]) => changeOf(path, edit))
  const above = new Set([...edits.keys()].flatMap(parentsOf))
  const isEdited = (path: PathText): boolean => edits.has(path) || above.has(path.replace(/\/$/, ''))
  const madeDirs = (from: Held, to: Held, kind: ChangeKind): Change[] => {
    const known = new Set(from.emptyDirs)
    const made = to.emptyDirs.filter((dir) => !known.has(dir)).map((dir) => `${dir}/`)
    return made.filter((dir) => !isEdited(dir)).map((dir) => without(dir, kind))
  }
  const dirs = [...madeDirs(a, b, 'added'), ...madeDirs(b, a, 'deleted')]
  const told = new Set(dirs.map((dir) => dir.path))
  const modes = oddPaths(a, b).filter((path) => !isEdited(path) && !told.has(path))
  const all = [...files, ...dirs, ...modes.map((path) => without(path, 'mode'))]
  return all.toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** Paths, directories with a slash, that have other permissions. */
export const oddPaths = (a: Held, b: Held): PathText[] =>
  [...new Set([...a.modes.keys(), ...b.modes.keys()])].filter((path) => a.modes.get(path) !== b.modes.get(path))

const without = (path: PathText, kind: ChangeKind): Change => ({
  path,
  kind,
  added: null,
  removed: null,
  isBinary: false,
})

const changeOf = (path: PathText, { from, to, lines }: Edit): Change => ({
  path,
  kind: kindOf(from, to),
  added: lines?.added ?? null,
  removed: lines?.removed ?? null,
  isBinary: lines === null,
})

const kindOf = (from: Entry | null, to: Entry | null): ChangeKind => {
  if (from === null || to === null) return from === null ? 'added' : 'deleted'
  if ((from.mode === linkMode) !== (to.mode === linkMode)) return 'type'
  return from.id === to.id ? 'mode' : 'modified'
}
