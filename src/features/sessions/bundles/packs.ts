import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createGit, type Env, type Git, type GitPlace } from '../snapshots/git.ts'
import { makeGitDir, type ShadowDir, shadowPlace } from '../snapshots/shadow-dir.ts'
import { hostile, limits } from './limits.ts'

/** The most memory (KiB) and processor time (s) for reading an untrusted pack. */
const bounds = { kib: 3 * 2 ** 20, seconds: 600 }

/** As git expects it in a list separated by colons or line ends. */
const quotedPath = (file: string): string => `"${file.replaceAll(/["\\]/g, '\\$&')}"`

/** Git over a shadow's objects and those of a repository beside it. */
export const withObjects = (place: GitPlace, objects: string | null): GitPlace => ({
  ...place,
  env: { ...place.env, ...(objects === null ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedPath(objects) }) },
})

/** Packs all objects of these trees that are not in the base; a small pack takes longer to make. */
export const packTrees = async (
  git: Git,
  trees: readonly string[],
  base: string | null,
  dir: string,
  how: 'small' | 'fast',
): Promise<string> => {
  // The tree of the base, not the commit: without a commit to start from, git would not look into it.
  const roots = [...trees, ...(base === null ? [] : [`^${base}^{tree}`])]
  const { stdout: objects } = await git(['rev-list', '--objects', '--stdin'], {
    input: Buffer.from(`${roots.join('\n')}\n`),
  })
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const window = `--window=${how === 'small' ? 50 : 0}`
  const { stdout } = await git(['pack-objects', '-q', '--delta-base-offset', window, path.join(dir, 'pack')], {
    input: objects,
  })
  return path.join(dir, `pack-${stdout.toString().trim()}.pack`)
}

interface Quarantined {
  git: Git
  /** For reading its objects. */
  shadow: ShadowDir
}

/** Indexes an untrusted pack, in a git directory without settings, hooks or remotes. */
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
  // Without the other object directory, whose objects are the user's own.
  const { stdout } = await git(
    ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objecttype) %(objectsize)'],
    { env: { GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined } },
  )
  let total = 0
  for (const line of stdout.toString().split('\n').filter(Boolean)) {
    const [kind = '', size = ''] = line.split(' ')
    if (kind !== 'tree' && kind !== 'blob') throw hostile('its pack has something else than files')
    total += Number(size)
    if (Number(size) > limits.fileBytes || total > limits.bytes) throw hostile('its files are too large')
  }
  if (objects !== null) await writeFile(path.join(shadow.objects, 'info/alternates'), `${quotedPath(objects)}\n`)
  return { git: createGit({ ...shadowPlace(shadow), bounds }), shadow }
}

export const sizeOf = async (file: string): Promise<number> => (await stat(file)).size
