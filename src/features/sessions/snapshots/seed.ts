import { link, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeFileAtomic } from '../../../base/util/atomic-write.ts'
import { codeOf } from './errors.ts'
import { type Git, joinNul, splitNul } from './git.ts'
import { type IndexEntry, readIndex, sizeOf, withDoubts, writeIndex } from './index-file.ts'
import type { ObjectWriter } from './objects.ts'
import { inParallel } from './parallel.ts'
import { type PathText, pathText } from './path-text.ts'
import { idBytes, type Repository } from './repository.ts'
import type { ShadowDir } from './shadow-dir.ts'

const linksAtOnce = 32

/**
 * Makes an index from the user's, so that not every file has to be read again. Its objects are hard-linked into the
 * shadow: they stay, whatever happens to the user's repository. Returns the paths in the index; none without one.
 */
export const seedIndex = async (
  shadow: ShadowDir,
  writer: ObjectWriter,
  git: Git,
  repository: Repository,
  file: string,
): Promise<PathText[]> => {
  const source = path.join(repository.gitDir, 'index')
  const [data, times] = await Promise.all([readFile(source), stat(source)]).catch(() => [null, null])
  if (data === null || times === null || repository.format !== shadow.format) return []
  const all = await readIndex(data, idBytes(shadow.format)).catch(() => null)
  if (all === null) return []
  await linkPacks(shadow, repository.objects)
  const converted = await findConverted(repository.git, all)
  const plain = all.filter(({ name }) => !converted.has(pathText(name)))
  // Other conversions (line ends, `$Id$`) change the size, so the object of an unconverted file has the size of the file.
  const packed = await readSizes(git, plain)
  const loose = plain.filter(({ id }) => !packed.has(id))
  await inParallel(new Set(loose.map(({ id }) => id)), linksAtOnce, async (id) => {
    await tryLink(repository.objects, shadow.objects, `${id.slice(0, 2)}/${id.slice(2)}`)
  })
  const sizes = loose.length === 0 ? packed : new Map([...packed, ...(await readSizes(git, loose))])
  const entries = plain.filter((entry) => sizes.get(entry.id) === sizeOf(entry))
  await writeFile(file, await writeIndex(withDoubts(entries, times.mtimeMs), writer.hash()))
  return entries.map(({ name }) => pathText(name))
}

/** Paths whose file differs from the object: a filter program or another encoding makes it. */
const findConverted = async (git: Git, entries: readonly IndexEntry[]): Promise<Set<PathText>> => {
  const input = joinNul(entries.map(({ name }) => name))
  const { stdout } = await git(['check-attr', '-z', '--stdin', 'filter', 'working-tree-encoding'], { input })
  const parts = splitNul(stdout)
  const found = new Set<PathText>()
  for (let at = 0; at + 2 < parts.length; at += 3)
    if (!['unspecified', 'unset'].includes(String(parts[at + 2]))) found.add(pathText(parts[at] as Buffer))
  return found
}

const readSizes = async (git: Git, entries: readonly IndexEntry[]): Promise<Map<string, number>> => {
  const input = Buffer.from(entries.map(({ id }) => `${id}\n`).join(''))
  const { stdout } = await git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], { input })
  const lines = stdout
    .toString('latin1')
    .split('\n')
    .map((line) => line.split(' '))
  return new Map(
    lines.filter(([, size]) => /^\d+$/.test(size ?? '')).map(([id = '', size]) => [id, Number(size) % 2 ** 32]),
  )
}

/** The index last: a pack with an index is complete. */
const linkPacks = async (shadow: ShadowDir, from: string): Promise<void> => {
  const names = await readdir(path.join(from, 'pack')).catch(() => [])
  const packs = names.filter((name) => name.endsWith('.pack')).map((name) => name.slice(0, -'.pack'.length))
  for (const pack of packs)
    if (await tryLink(from, shadow.objects, `pack/${pack}.pack`))
      await tryLink(from, shadow.objects, `pack/${pack}.idx`)
  const sources = await readSources(shadow)
  if (packs.length > 0 && !sources.includes(from))
    await writeFileAtomic(sourcesFile(shadow), JSON.stringify([...sources, from]))
}

/** Lists the object directories from which packs were linked. */
const sourcesFile = (shadow: ShadowDir): string => path.join(shadow.path, 'sources.json')

const readSources = async (shadow: ShadowDir): Promise<string[]> =>
  JSON.parse(await readFile(sourcesFile(shadow), 'utf8').catch(() => '[]')) as string[]

/** Whether a file of the shadow's objects is still in a user's repository as well. */
export const linkedFrom = async (shadow: ShadowDir, name: string): Promise<boolean> => {
  const own = await stat(path.join(shadow.objects, name)).catch(() => null)
  const others = await Promise.all(
    (await readSources(shadow)).map((dir) => stat(path.join(dir, name)).catch(() => null)),
  )
  return own !== null && others.some((other) => other?.ino === own.ino && other.dev === own.dev)
}

/** Fails on another file system, or for files of another user; the missing objects are then read and stored. */
const tryLink = async (from: string, to: string, name: string): Promise<boolean> => {
  try {
    await link(path.join(from, name), path.join(to, name))
    return true
  } catch (cause) {
    return codeOf(cause) === 'EEXIST'
  }
}
