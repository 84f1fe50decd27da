import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomic } from '../../../base/util/atomic-write.ts'
import { type Env, type GitPlace, gitEnv } from './git.ts'
import { type UsualModes, usualModesOf } from './modes.ts'
import type { ObjectFormat } from './repository.ts'

/** Decided once for all snapshots of one work tree. */
interface Settled {
  /** The top of the work tree. */
  tree: string
  format: ObjectFormat
  usual: UsualModes
}

/** Holds everything about one work tree: objects shared by its layers, and a git directory for each layer. */
export interface ShadowDir extends Settled {
  path: string
  objects: string
  env: Env
}

/** Files are stored byte for byte, whatever the user's attributes say. */
const attributes = '* -text -crlf -ident !eol !filter !working-tree-encoding !diff !merge\n'

const config = `[core]
	repositoryFormatVersion = 1
	bare = false
	fileMode = true
	symlinks = true
	trustCtime = true
	ignoreCase = false
	precomposeUnicode = false
	protectNTFS = false
	protectHFS = false
	autocrlf = false
	safecrlf = false
	quotePath = false
	fsmonitor = false
	untrackedCache = false
	splitIndex = false
	logAllRefUpdates = false
	hooksPath = /dev/null
	compression = 1
	sharedRepository = 0600
[index]
	version = 2
	sparse = false
[gc]
	auto = 0
[extensions]
	objectFormat = `

const settledFile = 'shadow.json'

/** Named after the tree, so that every process finds the same directory. */
export const keyOf = (tree: string): string => createHash('sha256').update(tree).digest('hex').slice(0, 16)

/** Makes what is missing. The caller holds the lock. */
export const makeShadowDir = async (dir: string, tree: string, format: ObjectFormat, env: Env): Promise<ShadowDir> => {
  const objects = path.join(dir, 'objects')
  // The last directory exists when all do.
  if (!existsSync(path.join(objects, 'pack'))) {
    for (let first = 0; first < 256; first += 1)
      await mkdir(path.join(objects, first.toString(16).padStart(2, '0')), { recursive: true, mode: 0o700 })
    await mkdir(path.join(objects, 'pack'), { mode: 0o700 })
  }
  const settled = await settle(path.join(dir, settledFile), tree, format)
  if (!existsSync(path.join(dir, 'HEAD'))) await makeGitDir(dir, settled.format)
  const shadow = { ...settled, path: dir, objects, env }
  await removeLeftovers(shadow)
  return shadow
}

/** The first process decides: all objects have one format, and earlier snapshots stored only modes unusual by this measure. */
const settle = async (file: string, tree: string, format: ObjectFormat): Promise<Settled> => {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text !== null) return JSON.parse(text) as Settled
  const names = await readdir(tree, { encoding: 'buffer' })
  const stats = await Promise.all(
    names.map((name) => lstat(Buffer.concat([Buffer.from(`${tree}/`), name])).catch(() => null)),
  )
  const usual = usualModesOf(
    stats.flatMap((stat) =>
      stat?.isFile() || stat?.isDirectory() ? [{ isFile: stat.isFile(), mode: stat.mode }] : [],
    ),
  )
  const settled = { tree, format, usual }
  await writeFileAtomic(file, JSON.stringify(settled))
  return settled
}

/** Gives another tree the same settings, so that its snapshots can be compared with those of this one. */
export const settleLike = async (dir: string, tree: string, { format, usual }: Settled): Promise<void> =>
  writeFileAtomic(path.join(dir, settledFile), JSON.stringify({ tree, format, usual } satisfies Settled))

/** Makes an empty git directory without starting git. */
export const makeGitDir = async (gitDir: string, format: ObjectFormat): Promise<void> => {
  await Promise.all(['refs', 'info'].map((name) => mkdir(path.join(gitDir, name), { recursive: true, mode: 0o700 })))
  await Promise.all([
    writeFile(path.join(gitDir, 'config'), `${config}${format}\n`, { mode: 0o600 }),
    writeFile(path.join(gitDir, 'info/attributes'), attributes, { mode: 0o600 }),
  ])
  // The last one: a git directory with a HEAD is complete.
  await writeFileAtomic(path.join(gitDir, 'HEAD'), 'ref: refs/heads/none\n')
}

/** Git with the shadow's objects and without the user's settings. */
export const shadowPlace = (shadow: ShadowDir, gitDir = shadow.path, tree = shadow.path): GitPlace => ({
  cwd: tree,
  env: gitEnv(shadow.env, {
    HOME: shadow.path,
    XDG_CONFIG_HOME: shadow.path,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_DIR: gitDir,
    GIT_WORK_TREE: tree,
    GIT_OBJECT_DIRECTORY: shadow.objects,
  }),
})

/** Waits until everything is on disk, where `sync` can do that. */
export const flush = async ({ path: dir }: ShadowDir): Promise<void> => {
  const child = spawn('sync', ['-f', dir], { stdio: 'ignore' })
  await once(child, 'close').catch(() => undefined)
}

/** Removes what a killed process left half-written. The caller holds the lock. */
export const removeLeftovers = async ({ path: dir, objects }: ShadowDir): Promise<void> => {
  const drafts = [
    ...(await listMatching(objects, /^tmp_/)),
    ...(await listMatching(path.join(objects, 'pack'), /^(tmp_|\.tmp-)/)),
  ]
  await Promise.all([...drafts, path.join(dir, 'tmp')].map((file) => rm(file, { recursive: true, force: true })))
}

/** Removes empty loose objects, which a power cut leaves and git takes for existing. */
export const removeEmptyObjects = async ({ objects }: ShadowDir): Promise<void> => {
  for (const dir of await listMatching(objects, /^[0-9a-f]{2}$/))
    for (const file of await listMatching(dir, /^[0-9a-f]+$/))
      if ((await lstat(file)).size === 0) await rm(file, { force: true })
}

const listMatching = async (dir: string, pattern: RegExp): Promise<string[]> =>
  (await readdir(dir)).filter((name) => pattern.test(name)).map((name) => path.join(dir, name))
