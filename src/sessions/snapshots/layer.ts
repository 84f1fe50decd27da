import { existsSync } from 'node:fs'
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomic } from '../../util/atomic-write.ts'
import { createGit, type Git, joinNul } from './git.ts'
import { IgnoreText } from './ignore-text.ts'
import { Contents, lookAt, lookAtModes } from './look.ts'
import type { UsualModes } from './modes.ts'
import { ObjectWriter } from './objects.ts'
import { type PathText, pathBytes } from './path-text.ts'
import type { Repository } from './repository.ts'
import { seedIndex } from './seed.ts'
import { keyOf, makeGitDir, type ShadowDir, shadowPlace } from './shadow-dir.ts'

/** What all layers of one work tree share. */
export interface World {
  shadow: ShadowDir
  /** The top of the work tree. */
  tree: string
  usual: UsualModes
  now: () => number
}

export interface Progress {
  done: number
  total: number
}

export interface Work {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

/** What is known without reading files: a git index, the tree that it stands for, and permissions that git does not keep. */
interface Known {
  index: string
  tree: string | null
  modes: Map<PathText, number>
}

/** Where files lie that are about to take their place; never part of a snapshot. */
export const stagingName = '.rein-restore'
/** Longer than a tick of any file system's clock. */
const tickMs = 20

/** One repository of a work tree: its top, or one that lies in it. A directory without git is a layer, too. */
export class Layer {
  readonly root: string
  readonly path: PathText
  readonly repository: Repository | null
  readonly git: Git
  readonly contents: Contents
  readonly #world: World
  readonly #dir: string
  readonly #ignore: IgnoreText
  #known: Known | null = null

  constructor(world: World, dirPath: PathText, repository: Repository | null) {
    this.#world = world
    this.path = dirPath
    this.root = path.join(world.tree, dirPath)
    this.repository = repository
    this.#dir = path.join(world.shadow.path, 'layers', dirPath === '' ? 'top' : keyOf(dirPath))
    this.git = createGit(shadowPlace(world.shadow, this.#dir, this.root))
    this.contents = new Contents(this.root, new ObjectWriter(world.shadow), world.now)
    this.#ignore = new IgnoreText(this.root, repository, world.shadow.env)
  }

  get known(): Known {
    return this.#known ?? { index: 'none', tree: null, modes: new Map() }
  }

  indexFile(name = this.known.index): string {
    return path.join(this.#dir, name)
  }

  /** Ready to be scanned; returns what the user ignores here besides the `.gitignore` files. */
  async prepare(work: Work): Promise<string> {
    if (!existsSync(path.join(this.#dir, 'HEAD'))) await makeGitDir(this.#dir, this.#world.shadow.format)
    const ignore = await this.#ignore.read()
    await this.#writeIgnore(ignore)
    this.#known ??= (await this.#load()) ?? (await this.#seed(work))
    return ignore
  }

  /** Lets the index know all of these paths, which git reads faster than we do when they are many. */
  async catchUp(
    held: readonly PathText[],
    gone: readonly PathText[],
    modes: Map<PathText, number>,
    work: Work,
  ): Promise<void> {
    const next = `index-${Number(this.known.index.split('-')[1] ?? 0) + 1}`
    const file = this.indexFile(next)
    await Promise.all([rm(file, { force: true }), rm(`${file}.lock`, { force: true })])
    // Git writes a new file and renames it: the old index stays what it is until all is done.
    if (existsSync(this.indexFile())) await link(this.indexFile(), file)
    const startedAt = Date.now()
    await this.#remove(file, gone, work)
    await this.#add(file, held, work)
    if (existsSync(file)) await keepDoubt(file, startedAt)
    await this.#save({ index: next, tree: await this.#writeTree(file, work), modes })
  }

  async #remove(index: string, paths: readonly PathText[], { signal }: Work): Promise<void> {
    if (paths.length === 0) return
    const input = joinNul(paths.map(pathBytes))
    await this.git(['update-index', '-z', '--force-remove', '--stdin'], {
      env: { GIT_INDEX_FILE: index },
      input,
      signal,
    })
  }

  /** One pack for all of them: 'large' files are not written one by one, and read without being mapped. */
  async #add(index: string, paths: readonly PathText[], { signal, onProgress }: Work): Promise<void> {
    if (paths.length === 0) return
    const input = joinNul(paths.map(pathBytes))
    const args = [
      '-c',
      'core.bigFileThreshold=1',
      'update-index',
      '-z',
      '--add',
      '--remove',
      '--replace',
      '--verbose',
      '--stdin',
    ]
    let done = 0
    const onOutput = (chunk: Buffer): void => {
      done += chunk.reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 0)
      onProgress?.({ done: Math.min(done, paths.length), total: paths.length })
    }
    await this.git(args, { env: { GIT_INDEX_FILE: index }, input, signal, onOutput })
  }

  async #writeTree(index: string, { signal }: Work): Promise<string> {
    const { stdout } = await this.git(['write-tree', '--missing-ok'], { env: { GIT_INDEX_FILE: index }, signal })
    return stdout.toString().trim()
  }

  async #seed(work: Work): Promise<Known> {
    const none = { index: 'index-0', tree: null, modes: new Map() }
    if (this.repository === null) return none
    const writer = new ObjectWriter(this.#world.shadow)
    const index = 'index-1'
    const paths = await seedIndex(this.#world.shadow, writer, this.git, this.repository, this.indexFile(index))
    if (paths.length === 0) return none
    const looks = await lookAt(this.root, paths, Number.POSITIVE_INFINITY)
    const modes = await lookAtModes(this.root, this.#world.usual, looks, [])
    return this.#save({ index, tree: await this.#writeTree(this.indexFile(index), work), modes: withoutNulls(modes) })
  }

  /** One file names all that belongs together, so that it is replaced at once. */
  async #save(known: Known): Promise<Known> {
    const before = this.known.index
    await writeFileAtomic(this.#stateFile(), JSON.stringify({ ...known, modes: [...known.modes] }))
    this.#known = known
    if (before !== known.index) await rm(this.indexFile(before), { force: true })
    return known
  }

  async #load(): Promise<Known | null> {
    const text = await readFile(this.#stateFile(), 'utf8').catch(() => null)
    if (text === null) return null
    const state = JSON.parse(text) as { index: string; tree: string; modes: [PathText, number][] }
    return existsSync(this.indexFile(state.index)) ? { ...state, modes: new Map(state.modes) } : null
  }

  async #writeIgnore(text: string): Promise<void> {
    const own = path.relative(this.root, this.#world.shadow.path)
    const isInside = own !== '' && !own.startsWith('..')
    const lines = [text, `/${stagingName}/`, ...(isInside ? [`/${own.replaceAll(/[\\*?[ ]/g, '\\$&')}/`] : []), '']
    const [file, wanted] = [path.join(this.#dir, 'info/exclude'), lines.join('\n')]
    if ((await readFile(file, 'latin1').catch(() => null)) !== wanted) await writeFile(file, wanted, 'latin1')
  }

  #stateFile(): string {
    return path.join(this.#dir, 'state.json')
  }
}

/** A file that changes in the moment in which it is read must go on to look suspicious, so the index is made a little older. */
const keepDoubt = async (index: string, startedAt: number): Promise<void> => {
  const { atime, mtimeMs } = await stat(index)
  await utimes(index, atime, Math.min(mtimeMs, startedAt - tickMs) / 1000)
}

export const withoutNulls = (modes: ReadonlyMap<PathText, number | null>): Map<PathText, number> =>
  new Map([...modes].filter((entry): entry is [PathText, number] => entry[1] !== null))
