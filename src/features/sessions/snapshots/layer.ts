import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomic } from '../../../base/util/atomic-write.ts'
import { parseObject } from '../../../base/util/json.ts'
import { createGit, type Git, joinNul } from './git.ts'
import { IgnoreText } from './ignore-text.ts'
import { dirsOf, readIndex, withDoubts, writeIndex } from './index-file.ts'
import { Contents, lookAt, oddFiles } from './look.ts'
import { ObjectWriter } from './objects.ts'
import { type PathText, pathBytes } from './path-text.ts'
import { idBytes, type Repository, signatureOf } from './repository.ts'
import { seedIndex } from './seed.ts'
import { flush, keyOf, makeGitDir, type ShadowDir, shadowPlace } from './shadow-dir.ts'
import { EditedTree } from './tree.ts'

/** Shared by all layers of one work tree. */
export interface World {
  shadow: ShadowDir
  now: () => number
}

interface Progress {
  done: number
  total: number
}

export interface Work {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

/** Known without reading files: a git index, its tree, and the file permissions that git does not keep. */
interface Known {
  index: string
  tree: string | null
  modes: Map<PathText, number>
}

const filesInPack = 4096
/** Holds new files until they are renamed into place; never part of a snapshot. */
export const stagingName = '.rein-restore'

/** One repository of a work tree: its top, or one inside it. A directory without git is a layer, too. */
export class Layer {
  readonly root: string
  readonly path: PathText
  readonly repository: Repository | null
  readonly git: Git
  readonly contents: Contents
  readonly tree = new EditedTree()
  readonly #world: World
  readonly #dir: string
  readonly #ignore: IgnoreText
  #known: Known | null = null
  #signature = ''
  #dirs: { of: Known | null; paths: ReadonlySet<PathText> } = { of: null, paths: new Set() }

  constructor(world: World, dirPath: PathText, repository: Repository | null) {
    this.#world = world
    this.path = dirPath
    this.root = path.join(world.shadow.tree, dirPath)
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

  /** Gets ready for a scan; returns the ignore rules besides the `.gitignore` files. */
  async prepare(work: Work): Promise<string> {
    if (!existsSync(path.join(this.#dir, 'HEAD'))) await makeGitDir(this.#dir, this.#world.shadow.format)
    const ignore = await this.#ignore.read()
    await this.#writeIgnore(ignore)
    const signature = await signatureOf(this.#stateFile())
    // Another process may have caught up in the meantime, and taken the old index away.
    if (this.#known === null || signature !== this.#signature)
      this.#known = (await this.#load()) ?? (await this.#seed(work))
    this.#signature = await signatureOf(this.#stateFile())
    return ignore
  }

  /** The directories of all paths in the index. */
  async dirs(): Promise<ReadonlySet<PathText>> {
    if (this.#dirs.of !== this.#known) {
      const known = this.#known
      const data = await readFile(this.indexFile()).catch(() => Buffer.alloc(0))
      const entries = await readIndex(data, idBytes(this.#world.shadow.format)).catch(() => null)
      this.#dirs = { of: known, paths: dirsOf(entries ?? []) }
    }
    return this.#dirs.paths
  }

  /** Forgets objects that may belong to no snapshot. */
  forgetObjects(): void {
    this.contents.forget()
    this.tree.forget()
  }

  /** Forgets the index, in case it is wrong. */
  async startAnew(): Promise<void> {
    await rm(this.#stateFile(), { force: true })
    this.#known = null
  }

  /** Updates the index with these paths. Git reads many files faster than Node does. */
  async catchUp(
    held: readonly PathText[],
    gone: readonly PathText[],
    modes: Map<PathText, number>,
    work: Work,
  ): Promise<void> {
    const hasIndex = existsSync(this.indexFile())
    if (held.length === 0 && !hasIndex) return
    const next = `index-${Number(this.known.index.split('-')[1] ?? 0) + 1}`
    const file = this.indexFile(next)
    await Promise.all([rm(file, { force: true }), rm(`${file}.lock`, { force: true })])
    // Git writes a new file and renames it: the old index stays what it is until all is done.
    if (hasIndex) await link(this.indexFile(), file)
    const startedAt = this.#world.now()
    const { signal, onProgress } = work
    const env = { GIT_INDEX_FILE: file }
    if (gone.length > 0)
      await this.git(['update-index', '-z', '--force-remove', '--stdin'], {
        env,
        input: joinNul(gone.map(pathBytes)),
        signal,
      })
    // As 'large' files they go into one pack for many of them, and are read without being mapped.
    const args = ['-c', 'core.bigFileThreshold=1', 'update-index', '-z', '--add', '--remove', '--replace', '--stdin']
    for (let done = 0; done < held.length; done += filesInPack) {
      onProgress?.({ done, total: held.length })
      const input = joinNul(held.slice(done, done + filesInPack).map(pathBytes))
      await this.git(args, { env, input, signal })
    }
    onProgress?.({ done: held.length, total: held.length })
    const tree = await this.#writeTree(file, work)
    await this.#doubt(file, startedAt)
    await this.#save({ index: next, tree, modes: new Map([...modes].filter(([one]) => !one.endsWith('/'))) })
  }

  async #doubt(index: string, startedAt: number): Promise<void> {
    const { format } = this.#world.shadow
    const entries = await readIndex(await readFile(index), idBytes(format))
    const doubted = withDoubts(entries ?? [], startedAt)
    if (entries === null || doubted.every((entry, at) => entry === entries[at])) return
    await writeFileAtomic(index, await writeIndex(doubted, createHash(format)))
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
    const modes = withoutNulls(oddFiles(this.#world.shadow.usual, looks))
    return this.#save({ index, tree: await this.#writeTree(this.indexFile(index), work), modes })
  }

  /** One file names everything that belongs together, so that all of it is replaced at once. */
  async #save(known: Known): Promise<Known> {
    const before = this.known.index
    // Later snapshots use these objects without reading the files again.
    await flush(this.#world.shadow)
    await writeFileAtomic(this.#stateFile(), JSON.stringify({ ...known, modes: [...known.modes] }))
    this.#known = known
    this.#signature = await signatureOf(this.#stateFile())
    if (before !== known.index) await rm(this.indexFile(before), { force: true })
    return known
  }

  async #load(): Promise<Known | null> {
    const text = await readFile(this.#stateFile(), 'utf8').catch(() => '')
    const state = parseObject(text) as { index: string; tree: string; modes: [PathText, number][] } | null
    return state !== null && existsSync(this.indexFile(state.index)) ? { ...state, modes: new Map(state.modes) } : null
  }

  async #writeIgnore(text: string): Promise<void> {
    const own = path.relative(this.root, this.#world.shadow.path)
    const isInside = own !== '' && !own.startsWith('..')
    const lines = [
      text,
      `/${stagingName}/`,
      `${stagingName}-*`,
      ...(isInside ? [`/${own.replaceAll(/[\\*?[ ]/g, '\\$&')}/`] : []),
      '',
    ]
    const [file, wanted] = [path.join(this.#dir, 'info/exclude'), lines.join('\n')]
    if ((await readFile(file, 'latin1').catch(() => null)) !== wanted)
      await writeFile(file, wanted, { encoding: 'latin1', mode: 0o600 })
  }

  #stateFile(): string {
    return path.join(this.#dir, 'state.json')
  }
}

/** The last mode of each path counts; null means the usual one. */
export const withoutNulls = (modes: Iterable<[PathText, number | null]>): Map<PathText, number> =>
  new Map([...new Map(modes)].filter((entry): entry is [PathText, number] => entry[1] !== null))
