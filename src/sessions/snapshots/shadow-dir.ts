import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomic } from '../../util/atomic-write.ts'
import { ensurePrivateDir } from '../../util/private-dir.ts'
import { codeOf } from './errors.ts'
import { type Env, type GitPlace, gitEnv } from './git.ts'
import type { ObjectFormat } from './repository.ts'

/** Where everything about one work tree is kept: objects that all its layers share, and a git directory for each layer. */
export interface ShadowDir {
  path: string
  objects: string
  format: ObjectFormat
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
	fsync = committed,loose-object
	fsyncMethod = batch
[index]
	version = 2
	sparse = false
[gc]
	auto = 0
[extensions]
	objectFormat = ${format}
`

/** Named after the tree, so that everybody who works in it finds the same. */
export const keyOf = (tree: string): string => createHash('sha256').update(tree).digest('hex').slice(0, 16)

export const makeShadowDir = async (dir: string, format: ObjectFormat, env: Env): Promise<ShadowDir> => {
  ensurePrivateDir(dir)
  const objects = path.join(dir, 'objects')
  await makeObjectDirs(objects)
  const settled = await settledFormat(dir, format)
  if (!existsSync(path.join(dir, 'HEAD'))) await makeGitDir(dir, settled)
  return { path: dir, objects, format: settled, env }
}

/** The last one is there when all are. */
const makeObjectDirs = async (objects: string): Promise<void> => {
  if (existsSync(path.join(objects, 'pack'))) return
  for (let first = 0; first < 256; first += 1)
    await mkdir(path.join(objects, first.toString(16).padStart(2, '0')), { recursive: true })
  await mkdir(path.join(objects, 'pack'), { recursive: true })
}

/** The first to come decides: all objects of a shadow are of one format. */
const settledFormat = async (dir: string, format: ObjectFormat): Promise<ObjectFormat> => {
  const file = path.join(dir, 'format')
  try {
    await writeFile(file, format, { flag: 'wx' })
    return format
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause
    return (await readFile(file, 'utf8')) === 'sha256' ? 'sha256' : 'sha1'
  }
}

/** A git directory with nothing in it, made without a process. */
export const makeGitDir = async (gitDir: string, format: ObjectFormat): Promise<void> => {
  await Promise.all(['refs', 'info'].map((name) => mkdir(path.join(gitDir, name), { recursive: true })))
  await Promise.all([
    writeFile(path.join(gitDir, 'config'), configOf(format)),
    writeFile(path.join(gitDir, 'info/attributes'), attributes),
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

/** Takes away what a killed process has left half-written; to be called by whoever holds the lock. */
export const removeLeftovers = async (shadow: ShadowDir): Promise<void> => {
  const drafts = [
    ...(await named(shadow.objects, /^tmp_/)),
    ...(await named(path.join(shadow.objects, 'pack'), /^(tmp_|\.tmp-)/)),
  ]
  await Promise.all(
    [...drafts, path.join(shadow.path, 'tmp')].map((file) => rm(file, { recursive: true, force: true })),
  )
}

const named = async (dir: string, pattern: RegExp): Promise<string[]> =>
  (await readdir(dir)).filter((name) => pattern.test(name)).map((name) => path.join(dir, name))
