import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createGit, type Env, type Git, type GitPlace } from '../snapshots/git.ts'
import { makeGitDir, type ShadowDir, shadowPlace } from '../snapshots/shadow-dir.ts'
import { hostile, limits } from './limits.ts'

/** Packs that others made are looked at with so much memory (KiB) and so many seconds, and no more. */
const bounds = { kib: 3 * 2 ** 20, seconds: 600 }

/** As git wants it where colons or line ends separate. */
const quotedPath = (file: string): string => `"${file.replaceAll(/["\\]/g, '\\$&')}"`

/** Git over a shadow's objects and those of a repository beside it. */
export const withObjects = (place: GitPlace, objects: string | null): GitPlace => ({
  ...place,
  env: { ...place.env, ...(objects === null ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedPath(objects) }) },
})

/** All objects of these trees that the base has not, in a pack of its own: a small one takes its time. */
export const packTrees = async (
  git: Git,
  trees: readonly string[],
  base: string | null,
  dir: string,
  how: 'small' | 'fast',
): Promise<string> => {
  const objects = await objectsOf(git, trees, base)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const window = `--window=${how === 'small' ? 50 : 0}`
  const { stdout } = await git(['pack-objects', '-q', '--delta-base-offset', window, path.join(dir, 'pack')], {
    input: objects,
  })
  return path.join(dir, `pack-${stdout.toString().trim()}.pack`)
}

const objectsOf = async (git: Git, trees: readonly string[], base: string | null): Promise<Buffer> => {
  // Its tree, not the commit: where there is no commit to begin with, git would not look into it.
  const roots = [...trees, ...(base === null ? [] : [`^${base}^{tree}`])]
  // Names stay out, but the order they give makes for small packs.
  const { stdout } = await git(['rev-list', '--objects', '--stdin'], { input: Buffer.from(`${roots.join('\n')}\n`) })
  return stdout
}

export interface Quarantined {
  git: Git
  /** Where objects can be read from. */
  shadow: ShadowDir
}

/** Takes a pack of somebody else's apart, in a git directory that knows nobody's settings, hooks or remotes. */
export const quarantinePack = async (
  pack: string,
  dir: string,
  objects: string | null,
  env: Env,
): Promise<Quarantined> => {
  const shadow: ShadowDir = {
    path: path.join(dir, 'git'),
    objects: path.join(dir, 'git/objects'),
    tree: dir,
    format: 'sha1',
    usual: { file: 0o644, program: 0o755, dir: 0o755 },
    env,
  }
  for (const name of ['pack', 'info']) await mkdir(path.join(shadow.objects, name), { recursive: true, mode: 0o700 })
  await makeGitDir(shadow.path, 'sha1')
  const target = path.join(shadow.objects, 'pack/pack-0.pack')
  await rename(pack, target)
  const git = createGit({ ...withObjects(shadowPlace(shadow), objects), bounds })
  await git([
    '-c',
    'core.bigFileThreshold=1m',
    '-c',
    'protocol.allow=never',
    'index-pack',
    '--strict',
    '--threads=1',
    target,
  ]).catch(() => {
    throw hostile('its pack of files is not sound')
  })
  await checkObjects(git)
  if (objects !== null) await writeFile(path.join(shadow.objects, 'info/alternates'), `${quotedPath(objects)}\n`)
  return { git: createGit({ ...shadowPlace(shadow), bounds }), shadow }
}

/** Trees and files, none of them of a size that nobody has. */
const checkObjects = async (git: Git): Promise<void> => {
  const args = ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objecttype) %(objectsize)']
  let total = 0
  // Not those of the other object directory: they are the user's own.
  const { stdout } = await git(args, { env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined } })
  for (const line of stdout.toString().split('\n').filter(Boolean)) {
    const [kind = '', size = ''] = line.split(' ')
    if (kind !== 'tree' && kind !== 'blob') throw hostile('its pack has something else than files')
    total += Number(size)
    if (Number(size) > limits.fileBytes || total > limits.bytes) throw hostile('its files are too large')
  }
}

export const sizeOf = async (file: string): Promise<number> => (await stat(file)).size
