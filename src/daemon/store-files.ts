import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { ReinError } from '../contract/errors.ts'
import { parseObject, textOf } from '../base/util/json.ts'
import type { ReinPaths } from '../base/util/paths.ts'
import { pass } from './fault.ts'

/** The files around the database: what says that there is one, its daily copies, and what was damaged. */
export interface StoreFiles {
  database: string
  /** Says that there is a database, also when it is gone. */
  marker: string
  copies: string
  /** Damaged databases that a repair has replaced. */
  damaged: string
  /** A database that is being made. */
  draft: string
  /** A complete repaired file: the next start or repair puts it in place. */
  repaired: string
}

export const storeFiles = ({ state, database }: Pick<ReinPaths, 'state' | 'database'>): StoreFiles => ({
  database,
  marker: path.join(state, 'store.json'),
  copies: path.join(state, 'copies'),
  damaged: path.join(state, 'damaged'),
  draft: `${database}.draft`,
  repaired: `${database}.repaired`,
})

interface Marker {
  /** The newest Rein that has opened it. */
  version: string
  /** Whether a daemon has it open, or ended without closing it. */
  isOpen: boolean
  /** Whether something in it could not be read: it is looked at as a whole at the next start. */
  isSuspect: boolean
}

export const readMarker = ({ marker }: StoreFiles): Marker | null => {
  try {
    const value = parseObject(readFileSync(marker, 'utf8')) ?? {}
    return {
      version: textOf(value['version']) ?? '0.0.0',
      isOpen: value['isOpen'] === true,
      isSuspect: value['isSuspect'] === true,
    }
  } catch {
    return null
  }
}

export const writeMarker = ({ marker }: StoreFiles, value: Marker): void => {
  const draft = `${marker}.draft`
  writeFileSync(draft, `${JSON.stringify(value)}\n`, { mode: 0o600 })
  putInPlace(draft, marker)
}

export interface Copy {
  file: string
  /** When it was made. */
  at: number
}

/** Newest first. */
export const listCopies = ({ copies }: StoreFiles): Copy[] =>
  (existsSync(copies) ? readdirSync(copies) : [])
    .filter((name) => name.endsWith('.db'))
    .map((name) => path.join(copies, name))
    .map((file) => ({ file, at: statSync(file).mtimeMs }))
    .toSorted((a, b) => b.at - a.at)

export const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Without SQLite, which would take an empty file for a new database and delete the log beside it. */
export const presence = (files: StoreFiles): 'present' | 'new' | 'missing' | 'empty' => {
  if (sizeOf(files.database) > 0) return 'present'
  const isNew = readMarker(files) === null && listCopies(files).length === 0 && sizeOf(`${files.database}-wal`) === 0
  if (isNew) return 'new'
  return existsSync(files.database) ? 'empty' : 'missing'
}

/** An empty place where a database was is not a beginning. */
export const requirePresent = (files: StoreFiles): void => {
  const found = presence(files)
  if (found === 'present' || found === 'new') return
  throw new ReinError(
    'storage_damaged',
    `The database ${files.database} is ${found}, and there was one.`,
    'To get back what can be had: rein daemon repair. To begin anew without it: rein daemon repair --fresh.',
  )
}

/** A repair may have been cut off after its last step but this one. */
export const finishRepair = (files: StoreFiles): string | null => {
  rmSync(files.draft, { force: true })
  if (!existsSync(files.repaired)) return null
  const aside = setFilesAside(files, statSync(files.repaired).mtimeMs)
  pass('in_repair')
  renameSync(files.repaired, files.database)
  syncPath(path.dirname(files.database))
  return aside
}

/** The database with its log goes to a directory of its own; the shared memory is of no use. */
export const setFilesAside = ({ database, damaged }: StoreFiles, at: number): string => {
  rmSync(`${database}-shm`, { force: true })
  const dir = path.join(damaged, new Date(at).toISOString().replaceAll(':', '-'))
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  // The log first: beside another database it would be taken for that one's.
  for (const end of ['-wal', ''])
    if (existsSync(`${database}${end}`)) renameSync(`${database}${end}`, path.join(dir, `rein.db${end}`))
  syncPath(dir)
  return dir
}

export const listDamaged = ({ damaged }: StoreFiles): string[] =>
  (existsSync(damaged) ? readdirSync(damaged) : []).map((name) => path.join(damaged, name)).toSorted()

/** A file that is complete gets its name, for good. */
export const putInPlace = (draft: string, file: string): void => {
  chmodSync(draft, 0o600)
  syncPath(draft)
  renameSync(draft, file)
  syncPath(path.dirname(file))
}

const syncPath = (file: string): void => {
  const fd = openSync(file, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
