import { execFile } from 'node:child_process'
import type { Dirent } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ReinError } from '../../../contract/errors.ts'
import { isWithin } from '../../../base/shell/places.ts'

const run = promisify(execFile)

/** Longer files are data. */
const longestFile = 1024 * 1024
/** As git looks for a NUL. */
const binaryProbe = 8000
const neverLookedInto = new Set(['.git', 'node_modules'])

/** The files that are named, or all that git does not ignore; absolute, each once. */
export const filesToCheck = async (root: string, cwd: string, named: readonly string[]): Promise<string[]> => {
  // Rule files name what they forbid.
  if (named.length === 0) return (await listFiles(root)).filter((file) => !isWithin(path.join(root, '.rein'), file))
  const found = await Promise.all(named.map((name) => findNamed(path.resolve(cwd, name), name)))
  return [...new Set(found.flat())]
}

const findNamed = async (file: string, name: string): Promise<string[]> => {
  const real = await realpath(file).catch(() => {
    throw new ReinError('usage', `There is no ${name}.`, 'Name a file or a directory that is there.')
  })
  if (!(await stat(real)).isDirectory()) return [real]
  const files = await listFiles(real)
  if (files.length > 0) return files
  throw new ReinError('usage', `There is no file to check in ${name}.`, 'Files that git ignores are left out.')
}

/** Tracked files, and new ones that are not ignored; all files outside of a work tree. */
const listFiles = async (directory: string): Promise<string[]> => {
  // A program that a configuration names as a monitor of files is not ours to start.
  const args = ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  try {
    const { stdout } = await run('git', args, { cwd: directory, maxBuffer: 1024 ** 3 })
    const names = stdout.split('\0').filter((name) => name !== '')
    return [...new Set(names)].map((name) => path.join(directory, name))
  } catch {
    return walk(directory)
  }
}

const walk = async (directory: string): Promise<string[]> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch((): Dirent[] => [])
  const found = entries
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(async (entry) => {
      const place = path.join(directory, entry.name)
      if (entry.isDirectory()) return neverLookedInto.has(entry.name) ? [] : walk(place)
      return entry.isFile() ? [place] : []
    })
  return (await Promise.all(found)).flat()
}

type ReadText = { text: string } | { skipped: 'binary' | 'large' | 'unreadable' }

export const readText = async (file: string): Promise<ReadText> => {
  try {
    const handle = await open(file)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) return { skipped: 'unreadable' }
      if (stats.size > longestFile) return { skipped: 'large' }
      const bytes = await handle.readFile()
      return bytes.subarray(0, binaryProbe).includes(0) ? { skipped: 'binary' } : { text: bytes.toString('utf8') }
    } finally {
      await handle.close()
    }
  } catch {
    return { skipped: 'unreadable' }
  }
}
