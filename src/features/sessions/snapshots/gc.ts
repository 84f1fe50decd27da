import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomic } from '../../../base/util/atomic-write.ts'
import { parseObject } from '../../../base/util/json.ts'
import { createGit, type Git } from './git.ts'
import type { World } from './layer.ts'
import { linkedFrom } from './seed.ts'
import { removeLeftovers, type ShadowDir, shadowPlace } from './shadow-dir.ts'
import { madeFile, readMade } from './taker.ts'

/** Snapshots younger than this may not be on the log yet, so they are kept. */
const freshMs = 60 * 60_000

export interface Usage {
  /** On disk for these snapshots alone. */
  bytes: number
  /** In files shared with the user's repository as hard links, so they cost nothing. */
  sharedBytes: number
}

/** Drops all snapshots but these and fresh ones, and packs the rest. The caller holds the lock. */
export const collectGarbage = async (world: World, keep: readonly string[]): Promise<void> => {
  const { shadow } = world
  const git = createGit(shadowPlace(shadow))
  await removeLeftovers(shadow)
  const made = await readMade(world)
  const wanted = new Set([...keep, ...made.filter(({ at }) => at > world.now() - freshMs).map(({ id }) => id)])
  const roots = await findRoots(git, shadow, wanted)
  const shared = await markShared(shadow)
  const pack = await packAll(git, shadow, roots)
  await writeFileAtomic(
    madeFile(world),
    made
      .filter(({ id }) => wanted.has(id))
      .map(({ at, id }) => `${at} ${id}\n`)
      .join(''),
  )
  // Only now all that is wanted is in packs.
  const packs = new Set([...shared, ...(pack === null ? [] : [pack])])
  const packDir = path.join(shadow.objects, 'pack')
  for (const name of await listNames(packDir))
    if (!packs.has(name.replace(/\.\w+$/, '.pack'))) await rm(path.join(packDir, name), { force: true })
  for (const dir of (await listNames(shadow.objects)).filter((name) => /^[0-9a-f]{2}$/.test(name)))
    for (const name of await listNames(path.join(shadow.objects, dir)))
      await rm(path.join(shadow.objects, dir, name), { force: true })
}

/** The wanted snapshots and the trees of the layers, from which the next snapshot is made; without those that are gone. */
const findRoots = async (git: Git, shadow: ShadowDir, wanted: ReadonlySet<string>): Promise<string[]> => {
  const dir = path.join(shadow.path, 'layers')
  const files = (await listNames(dir)).map((name) => path.join(dir, name, 'state.json'))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  const trees = texts.map((text) => parseObject(text)?.['tree']).filter((tree) => typeof tree === 'string')
  const ids = [...wanted, ...trees]
  if (ids.length === 0) return []
  const input = Buffer.from(ids.map((id) => `${id}\n`).join(''))
  const { stdout } = await git(['cat-file', '--batch-check=%(objectname)'], { input })
  return stdout
    .toString()
    .split('\n')
    .filter((line) => /^[0-9a-f]+$/.test(line))
}

/** Marks packs that the user's repository still has, so that their objects are not packed again. */
const markShared = async (shadow: ShadowDir): Promise<string[]> => {
  const shared: string[] = []
  for (const pack of (await listNames(path.join(shadow.objects, 'pack'))).filter((name) => name.endsWith('.pack'))) {
    const keepFile = path.join(shadow.objects, 'pack', pack.replace(/pack$/, 'keep'))
    if (await linkedFrom(shadow, `pack/${pack}`)) {
      shared.push(pack)
      await writeFile(keepFile, '', { mode: 0o600 })
    } else await rm(keepFile, { force: true })
  }
  return shared
}

const packAll = async (git: Git, shadow: ShadowDir, roots: readonly string[]): Promise<string | null> => {
  if (roots.length === 0) return null
  const { stdout: objects } = await git(['rev-list', '--objects', '--stdin'], {
    input: Buffer.from(roots.map((id) => `${id}\n`).join('')),
  })
  const args = [
    'pack-objects',
    '-q',
    '--honor-pack-keep',
    '--delta-base-offset',
    '--non-empty',
    path.join(shadow.objects, 'pack/pack'),
  ]
  const { stdout } = await git(args, { input: objects })
  const id = stdout.toString().trim()
  return id === '' ? null : `pack-${id}.pack`
}

export const usageOf = async (dir: string): Promise<Usage> => {
  const usage = { bytes: 0, sharedBytes: 0 }
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true }).catch(() => [])) {
    const found = await stat(path.join(entry.parentPath, entry.name)).catch(() => null)
    if (found === null) continue
    usage[found.isFile() && found.nlink > 1 ? 'sharedBytes' : 'bytes'] += found.blocks * 512
  }
  return usage
}

const listNames = (dir: string): Promise<string[]> => readdir(dir).catch(() => [])
