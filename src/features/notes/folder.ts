import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { ReinError } from '../../contract/errors.ts'
import { type Note, noteOf } from './note.ts'

export const longestNote = 64 * 1024
export const mostNotes = 2_000
/** The limit for all notes of a project together: they are kept in memory. */
export const mostBytes = 4 * 1024 * 1024

const extension = '.md'

/** A file as it was when it was read; `problem`: why it is no note. */
export interface ReadFile {
  stamp: string
  size: number
  note: Note | null
  problem: string | null
}

export const folderOf = (root: string): string => join(root, '.rein', 'notes')

/** The nearest directory above with notes, within its git work tree; else the top of that; else the directory itself. */
export const rootOf = async (cwd: string): Promise<string> => {
  const real = await realpath(cwd).catch(() => {
    throw new ReinError('not_found', `There is no directory ${cwd}.`)
  })
  for (let dir = real; ; dir = dirname(dir)) {
    if ((await isThere(folderOf(dir))) || (await isThere(join(dir, '.git')))) return dir
    if (dirname(dir) === dir) return real
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

const isInside = (root: string, path: string): boolean => path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)

/** Leaves out the file that tells people about the folder. */
const isNote = (name: string): boolean =>
  name.endsWith(extension) && !name.startsWith('.') && name.toLowerCase() !== 'readme.md'

/** The names of all that may be notes, and why there are not more. */
export const listFiles = async (root: string): Promise<{ names: string[]; problem: string | null }> => {
  const found = await lstat(folderOf(root)).catch(() => null)
  if (found === null) return { names: [], problem: null }
  const real = await realpath(folderOf(root)).catch(() => '')
  if (!isInside(root, real)) return { names: [], problem: '.rein/notes leads out of the project: it is not read.' }
  const isOurs = process.getuid === undefined || (await stat(real)).uid === process.getuid()
  if (!isOurs) return { names: [], problem: '.rein/notes belongs to another user: it is not read.' }
  const names = (await readdir(real)).filter(isNote).map((name) => name.slice(0, -extension.length))
  const over = names.length - mostNotes
  return {
    names: names.toSorted().slice(0, mostNotes),
    problem: over > 0 ? `There are ${names.length} notes: the last ${over} by name are not read.` : null,
  }
}

const broken = (problem: string): ReadFile => ({ stamp: '', size: 0, note: null, problem })

/** Reads a file, unless it is as it was. */
export const readNote = async (root: string, name: string, known: ReadFile | undefined): Promise<ReadFile> => {
  const file = join(folderOf(root), `${name}${extension}`)
  try {
    const found = await lstat(file)
    const real = found.isSymbolicLink() ? await realpath(file) : file
    if (real !== file && !isInside(root, real)) return broken('it leads out of the project')
    const { dev, ino, size, mtimeMs, ctimeMs } = real === file ? found : await stat(real)
    const stamp = [dev, ino, size, mtimeMs, ctimeMs].join(' ')
    if (known?.stamp === stamp) return known
    return { stamp, size, ...(await readContent(real, name)) }
  } catch (cause) {
    return broken(cause instanceof Error ? cause.message : String(cause))
  }
}

/** Never blocks, as reading a pipe would. */
const readContent = async (file: string, name: string): Promise<Pick<ReadFile, 'note' | 'problem'>> => {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = await handle.stat()
    if (!found.isFile()) return { note: null, problem: 'it is no file' }
    if (found.size > longestNote) return { note: null, problem: `it has over ${longestNote / 1024} KiB` }
    const bytes = await handle.readFile()
    return { note: noteOf(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes)), problem: null }
  } catch (cause) {
    if (cause instanceof TypeError) return { note: null, problem: 'it is not valid UTF-8' }
    throw cause
  } finally {
    await handle.close()
  }
}

/** Never over a file that is there. */
export const writeNote = async (root: string, name: string, text: string): Promise<string> => {
  const folder = folderOf(root)
  await mkdir(folder, { recursive: true })
  if (!isInside(root, await realpath(folder)))
    throw new ReinError('refused', `${folder} leads out of the project.`, 'Make it a directory of its own.')
  const file = join(folder, `${name}${extension}`)
  const handle = await open(file, 'wx', 0o644).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'EEXIST'
      ? new ReinError('refused', `There is a note ${name} already.`, `Give another title, or edit ${file}.`)
      : cause
  })
  try {
    await handle.writeFile(text)
    await handle.sync()
  } catch (cause) {
    await rm(file, { force: true })
    throw cause
  } finally {
    await handle.close()
  }
  return file
}
