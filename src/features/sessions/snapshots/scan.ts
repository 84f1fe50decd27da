import { lstat, readdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { findFile, type KnownDirs } from './find-file.ts'
import { type Git, splitNul } from './git.ts'
import { oddDirs } from './look.ts'
import type { UsualModes } from './modes.ts'
import { isPlainText, joined, type PathText, parentsOf, pathAt, pathText } from './path-text.ts'

/** How the files of one layer differ from its index. */
export interface Scan {
  /** Paths of the index whose file was changed or touched. */
  touched: PathText[]
  /** Paths of the index without a file. */
  gone: PathText[]
  /** Files that are neither in the index nor ignored. */
  untracked: PathText[]
  /** Directories with a repository of their own. */
  repositories: PathText[]
  emptyDirs: PathText[]
  /** Directories that cannot be read. */
  closed: PathText[]
  /** Unusual permissions of the directories in `dirs`. */
  modes: Map<PathText, number>
}

interface ScanOptions {
  git: Git
  root: string
  index: string
  /** The directories of the index. */
  dirs: ReadonlySet<PathText>
  usual: UsualModes
  /** A file that does not exist: an empty index. */
  noIndex: string
  /** Globs, from the root, of ignored files to hold anyway. */
  include: readonly string[]
  signal: AbortSignal | undefined
}

/** A `.gitignore` that ignores itself is held as well: it decides what may never be deleted. */
const untrackedFiles = ['ls-files', '-z', '-o', '--exclude-standard', '--exclude=!.gitignore']

/** On two cores, the threads of one scan would only slow down the other. */
const inOneThread = availableParallelism() > 2 ? [] : ['-c', 'core.preloadIndex=false']

/** Both scans of the whole tree run at the same time; they take most of the time of a snapshot. */
export const scanTree = async (options: ScanOptions): Promise<Scan> => {
  const looking = lookAtTracked(options)
  const [tracked, modes, others, included] = await Promise.all([
    looking,
    looking.then(() => oddDirs(options.root, options.usual, options.dirs)),
    lookAtOthers(options),
    lookAtIncluded(options),
  ])
  const dirs = others.paths.filter(isDir).map(withoutSlash)
  const files = others.paths.filter((path) => !isDir(path))
  const [nowDirs, emptied] = await Promise.all([
    findDirsForFiles(options, tracked, files),
    findEmptiedDirs(options, tracked),
  ])
  const inside = await lookInside(options, [...dirs, ...nowDirs])
  return {
    ...tracked,
    untracked: [...files, ...inside.files, ...included],
    repositories: inside.repositories,
    emptyDirs: [...inside.emptyDirs, ...emptied],
    closed: others.closed,
    modes,
  }
}

const lookAtTracked = async ({ git, index, signal }: ScanOptions): Promise<Pick<Scan, 'touched' | 'gone'>> => {
  const { stdout } = await git([...inOneThread, 'diff-files', '-z', '--raw'], {
    env: { GIT_INDEX_FILE: index },
    signal,
  })
  const [touched, gone]: [PathText[], PathText[]] = [[], []]
  const parts = splitNul(stdout)
  for (let at = 0; at + 1 < parts.length; at += 2)
    (parts[at]?.at(-1) === 'D'.charCodeAt(0) ? gone : touched).push(pathText(parts[at + 1] as Buffer))
  return { touched, gone }
}

/** A directory without a path in the index comes as one path that ends with a slash. */
const lookAtOthers = async ({
  git,
  index,
  signal,
}: ScanOptions): Promise<{ paths: PathText[]; closed: PathText[] }> => {
  const args = [...untrackedFiles, '--directory']
  const { stdout, stderr } = await git(args, { env: { GIT_INDEX_FILE: index }, signal })
  const warnings = stderr.matchAll(/^warning: could not open directory '(.*?)\/?': /gm)
  return { paths: splitNul(stdout).map(pathText), closed: Array.from(warnings, ([, dir = '']) => dir) }
}

/** Directories that replaced a file; git does not list them while its index has the file. */
const findDirsForFiles = async (
  { root }: ScanOptions,
  { touched, gone }: Pick<Scan, 'touched' | 'gone'>,
  untracked: readonly PathText[],
): Promise<PathText[]> => {
  const links = new Set(untracked)
  const real = [...gone, ...touched].filter((path) => !parentsOf(path).some((dir) => links.has(dir)))
  return filterAsync(real, async (path) => (await lstat(pathAt(root, path)).catch(() => null))?.isDirectory() === true)
}

/** Directories that lost all their files; git does not list them while its index has one of these. */
const findEmptiedDirs = async ({ root }: ScanOptions, { gone }: Pick<Scan, 'gone'>): Promise<PathText[]> => {
  const known: KnownDirs = new Map()
  return filterAsync([...new Set(gone.flatMap(parentsOf))], async (dir) => {
    if ((await findFile(root, dir, known))?.isDirectory() !== true) return false
    const names = await readdir(pathAt(root, dir), { encoding: 'buffer' }).catch(() => null)
    return names?.length === 0
  })
}

const lookAtIncluded = async ({ git, index, include, signal }: ScanOptions): Promise<PathText[]> => {
  if (include.length === 0) return []
  const env = { GIT_INDEX_FILE: index, GIT_LITERAL_PATHSPECS: undefined }
  const { stdout } = await git([...untrackedFiles, '-i', '--', ...include.map((glob) => `:(glob)${glob}`)], {
    env,
    signal,
  })
  return splitNul(stdout)
    .map(pathText)
    .filter((path) => !isDir(path))
}

interface Inside {
  files: PathText[]
  repositories: PathText[]
  emptyDirs: PathText[]
}

const mostPathspecs = 200

/** Lists directories without a path in the index, so that git can be asked without one. */
const lookInside = async (options: ScanOptions, dirs: PathText[]): Promise<Inside> => {
  const { git, root, index, noIndex, signal } = options
  const repositories = await filterAsync(
    dirs,
    async (dir) => (await lstat(pathAt(root, `${dir}/.git`)).catch(() => null)) !== null,
  )
  const plain = dirs.filter((dir) => !repositories.includes(dir))
  if (plain.length === 0) return { files: [], repositories, emptyDirs: [] }
  // The whole tree is listed where there are too many directories to name, or one that no argument can name.
  const isNamed = plain.length <= mostPathspecs && plain.every(isPlainText)
  const wanted = new Set(plain)
  const list = async (...more: string[]): Promise<PathText[]> => {
    const env = { GIT_INDEX_FILE: isNamed ? noIndex : index }
    const { stdout } = await git([...untrackedFiles, ...more, '--', ...(isNamed ? plain : ['.'])], { env, signal })
    const paths = splitNul(stdout).map(pathText)
    return isNamed ? paths : paths.filter((path) => parentsOf(path).some((dir) => wanted.has(dir)))
  }
  const [found, ignored] = await Promise.all([list(), list('-i', '--directory')])
  const files = found.filter((path) => !isDir(path))
  const inner = found.filter(isDir).map(withoutSlash)
  const held = new Set([...files, ...inner].flatMap(parentsOf))
  const closed = new Set([...inner, ...ignored.filter(isDir).map(withoutSlash)])
  const emptyDirs = (await Promise.all(plain.map((dir) => findEmptyDirs(root, dir, held, closed)))).flat()
  return { files, repositories: [...repositories, ...inner], emptyDirs }
}

const findEmptyDirs = async (
  root: string,
  dir: PathText,
  held: ReadonlySet<PathText>,
  closed: ReadonlySet<PathText>,
): Promise<PathText[]> => {
  if (closed.has(dir)) return []
  const entries = await readdir(pathAt(root, dir), { withFileTypes: true, encoding: 'buffer' }).catch(() => [])
  const below = entries.filter((entry) => entry.isDirectory()).map((entry) => joined(dir, pathText(entry.name)))
  const open = below.filter((path) => !closed.has(path))
  if (open.length === 0) return held.has(dir) || below.length > 0 ? [] : [dir]
  return (await Promise.all(open.map((path) => findEmptyDirs(root, path, held, closed)))).flat()
}

const filterAsync = async <T>(items: T[], test: (item: T) => Promise<boolean>): Promise<T[]> => {
  const passed = await Promise.all(items.map(test))
  return items.filter((_, at) => passed[at])
}

const isDir = (path: PathText): boolean => path.endsWith('/')
const withoutSlash = (path: PathText): PathText => path.replace(/\/$/, '')
