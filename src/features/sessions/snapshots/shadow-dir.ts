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

/** What is settled once and for all about the snapshots of one work tree. */
interface Settled {
  /** The top of the work tree. */
  tree: string
  format: ObjectFormat
  usual: UsualModes
}

/** Where everything about one work tree is kept: objects that all its layers share, and a git directory for each layer. */
export interface ShadowDir extends Settled {
  path: string
  objects: string
  env: Env
}

/** Bytes go in and come out as they are, whatever the user's attributes say. */
const attributes = '* -text -crlf -ident !eol !filter !working-tree-encoding !diff !merge\n'

const configOf = (format: ObjectFormat): string => `[core]
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
	objectFormat = ${format}
`

const settledFile = 'shadow.json'

/** Named after the tree, so that everybody who works in it finds the same. */
export const keyOf = (tree: string): string => createHash('sha256').update(tree).digest('hex').slice(0, 16)

/** Makes what is missing; to be called by whoever holds the lock. */
export const makeShadowDir = async (dir: string, tree: string, format: ObjectFormat, env: Env): Promise<ShadowDir> => {
  const objects = path.join(dir, 'objects')
  await makeObjectDirs(objects)
  const settled = await settle(path.join(dir, settledFile), tree, format)
  if (!existsSync(path.join(dir, 'HEAD'))) await makeGitDir(dir, settled.format)
  const shadow = { ...settled, path: dir, objects, env }
  await removeLeftovers(shadow)
  return shadow
}

/** The last one is there when all are. */
const makeObjectDirs = async (objects: string): Promise<void> => {
  if (existsSync(path.join(objects, 'pack'))) return
  for (let first = 0; first < 256; first += 1)
    await mkdir(path.join(objects, first.toString(16).padStart(2, '0')), { recursive: true, mode: 0o700 })
  await mkdir(path.join(objects, 'pack'), { mode: 0o700 })
}

/** The first to come decides: all objects are of one format, and what is usual must not change under those who wrote what is not. */
const settle = async (file: string, tree: string, format: ObjectFormat): Promise<Settled> => {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text !== null) return JSON.parse(text) as Settled
  const settled = { tree, format, usual: usualModesOf(await topOf(tree)) }
  await writeFileAtomic(file, JSON.stringify(settled))
  return settled
}

/** Snapshots of another tree will be of the same form as those of this one, so that they can be compared. */
export const settleLike = async (dir: string, tree: string, { format, usual }: Settled): Promise<void> =>
  writeFileAtomic(path.join(dir, settledFile), JSON.stringify({ tree, format, usual } satisfies Settled))

const topOf = async (tree: string): Promise<{ isFile: boolean; mode: number }[]> => {
  const names = await readdir(tree, { encoding: 'buffer' })
  const stats = await Promise.all(
    names.map((name) => lstat(Buffer.concat([Buffer.from(`${tree}/`), name])).catch(() => null)),
  )
  return stats.flatMap((stat) =>
    stat?.isFile() || stat?.isDirectory() ? [{ isFile: stat.isFile(), mode: stat.mode }] : [],
  )
}

/** A git directory with nothing in it, made without a process. */
export const makeGitDir = async (gitDir: string, format: ObjectFormat): Promise<void> => {
  await Promise.all(['refs', 'info'].map((name) => mkdir(path.join(gitDir, name), { recursive: true, mode: 0o700 })))
  await Promise.all([
    writeFile(path.join(gitDir, 'config'), configOf(format), { mode: 0o600 }),
    writeFile(path.join(gitDir, 'info/attributes'), attributes, { mode: 0o600 }),
  ])
  // The last one: a git directory with a HEAD is complete.
  await writeFileAtomic(path.join(gitDir, 'HEAD'), 'ref: refs/heads/none\n')
}

/** Git with the shadow's objects and nobody's settings. */
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

/** Lets everything reach the disk, where the system can do that at once. */
export const flush = async ({ path: dir }: ShadowDir): Promise<void> => {
  const child = spawn('sync', ['-f', dir], { stdio: 'ignore' })
  await once(child, 'close').catch(() => undefined)
}

/** Takes away what a killed process has left half-written; to be called by whoever holds the lock. */
export const removeLeftovers = async ({ path: dir, objects }: ShadowDir): Promise<void> => {
  const drafts = [...(await named(objects, /^tmp_/)), ...(await named(path.join(objects, 'pack'), /^(tmp_|\.tmp-)/))]
  await Promise.all([...drafts, path.join(dir, 'tmp')].map((file) => rm(file, { recursive: true, force: true })))
}

/** A power cut leaves loose objects without content, which git takes for there. */
export const removeEmptyObjects = async ({ objects }: ShadowDir): Promise<void> => {
  for (const dir of await named(objects, /^[0-9a-f]{2}$/))
    for (const file of await named(dir, /^[0-9a-f]+$/))
      if ((await lstat(file)).size === 0) await rm(file, { force: true })
}

const named = async (dir: string, pattern: RegExp): Promise<string[]> =>
  (await readdir(dir)).filter((name) => pattern.test(name)).map((name) => path.join(dir, name))
