import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { RepairView } from '../contract/outputs/repair.ts'
import { ReinError } from '../contract/errors.ts'
import { type Recovery, recoverRecords } from '../base/log/repair/recover.ts'
import { structuralFaults } from '../base/log/repair/store.ts'
import { LogWriter } from '../base/log/writer.ts'
import { migrate } from '../base/store/migrate.ts'
import { hasHeader } from '../base/store/pages.ts'
import { type Database, openDatabase, openForWriting } from '../base/store/sqlite.ts'
import { mendState, requireStructure } from './check-store.ts'
import { pass } from './fault.ts'
import { migrations, projectors } from './schema.ts'
import {
  type Copy,
  finishRepair,
  listCopies,
  presence,
  putInPlace,
  readMarker,
  setFilesAside,
  type StoreFiles,
  writeMarker,
} from './store-files.ts'
import { version } from '../base/util/version.ts'

type RepairStep = 'scan' | 'copy' | 'rebuild' | 'check'
export type OnProgress = (step: RepairStep, done: number, of: number) => void

/** Finds the damage, what can be recovered, and what the newest sound copy adds. Changes nothing. */
export const lookAtStore = (files: StoreFiles, onProgress: OnProgress): RepairView => {
  const copy = soundCopy(files)
  try {
    const faults = faultsOf(files)
    const found = recoverRecords({ damaged: files.database, copy: copy?.db ?? null, into: null, onProgress })
    return viewOf(files, { found, faults, copy: copy?.copy ?? null })
  } finally {
    copy?.db.close()
  }
}

/** Makes a new database of what can be had, and puts it in the place of the damaged one, which is kept. */
export const repairStore = (files: StoreFiles, onProgress: OnProgress): RepairView =>
  replaceStore(files, onProgress, false)

/** Repairs without asking, but only if the file itself still has readable records. */
export const repairBySelf = (files: StoreFiles): RepairView => replaceStore(files, () => undefined, true)

const replaceStore = (files: StoreFiles, onProgress: OnProgress, isUnasked: boolean): RepairView => {
  const copy = soundCopy(files)
  try {
    const faults = faultsOf(files)
    const found = buildDraft(files, copy?.db ?? null, onProgress)
    if (isUnasked && found.scan.records === 0)
      throw new ReinError(
        'storage_damaged',
        `Nothing can be read from ${files.database}.`,
        'To get back what the daily copy has: rein daemon repair. To begin anew: rein daemon repair --fresh.',
      )
    const view = viewOf(files, { found, faults, copy: copy?.copy ?? null })
    pass('before_repair')
    putInPlace(files.draft, files.repaired)
    const kept = finishRepair(files)
    writeMarker(files, { version, isOpen: false, isSuspect: false })
    return { ...view, repaired: true, kept }
  } finally {
    copy?.db.close()
  }
}

/** Moves the database and its copies aside; the next daemon creates a new one. */
export const beginAnew = (files: StoreFiles, now: number): string => {
  const kept = setFilesAside(files, now)
  if (existsSync(files.copies)) renameSync(files.copies, path.join(kept, 'copies'))
  rmSync(files.marker, { force: true })
  return kept
}

/** The newest copy without a fault of its own. */
const soundCopy = (files: StoreFiles): { db: Database; copy: Copy } | null => {
  for (const copy of listCopies(files)) {
    const db = openDatabase(copy.file, { readOnly: true })
    if (tryFaults(db).length === 0) return { db, copy }
    db.close()
  }
  return null
}

const tryFaults = (db: Database): string[] => {
  try {
    return structuralFaults(db)
  } catch (cause) {
    return [(cause as Error).message]
  }
}

const faultsOf = (files: StoreFiles): string[] => {
  const found = presence(files)
  if (found !== 'present') return [`The file is ${found}.`]
  if (!hasHeader(files.database)) return ['The file does not begin as a database does.']
  const db = openDatabase(files.database, { readOnly: true })
  try {
    return tryFaults(db)
  } finally {
    db.close()
  }
}

const buildDraft = (files: StoreFiles, copy: Database | null, onProgress: OnProgress): Recovery => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${files.draft}${end}`, { force: true })
  // Nothing counts before it is complete, so nothing has to be on disk before that.
  const into = openForWriting(files.draft, 'OFF')
  try {
    migrate(into, migrations)
    const found = recoverRecords({ damaged: files.database, copy, into, onProgress })
    if (found.scan.records + found.recovered === 0)
      throw new ReinError(
        'storage_damaged',
        `Nothing can be read from ${files.database}, and there is no copy in ${files.copies}.`,
        'Put a backup of yours in its place, or begin anew: rein daemon repair --fresh',
      )
    onProgress('rebuild', 0, 1)
    const [outcome] = new LogWriter(into, projectors).write([{ kind: 'rebuild' }])
    if (outcome?.ok === false) throw outcome.cause
    mendState(into)
    onProgress('check', 0, 1)
    requireStructure(into)
    return found
  } finally {
    into.close()
  }
}

interface Looked {
  found: Recovery
  faults: string[]
  copy: Copy | null
}

const viewOf = (files: StoreFiles, { found, faults, copy }: Looked): RepairView => {
  const { scan, topics, damaged, recovered } = found
  const there = presence(files)
  const named = faults.flatMap((fault) => [...fault.matchAll(/\bpage (\d+)/gi)].map(([, page]) => Number(page)))
  const isWalGone = readMarker(files)?.isOpen === true && scan.wal === 'absent' && there === 'present'
  const wal = isWalGone ? ('missing' as const) : scan.wal
  const isSound =
    faults.length === 0 && damaged.length === 0 && recovered === 0 && wal !== 'damaged' && wal !== 'missing'
  return {
    database: files.database,
    state: there === 'present' ? (isSound ? 'sound' : 'damaged') : there === 'empty' ? 'empty' : 'missing',
    faults,
    pages: [...new Set([...named, ...scan.badPages, ...scan.bad.map(({ page }) => page)])].toSorted((a, b) => a - b),
    wal,
    copy: copy === null ? null : { file: copy.file, at: Math.round(copy.at) },
    topics: [...topics].map(([topic, count]) => ({ topic, ...count })).toSorted((a, b) => (a.topic < b.topic ? -1 : 1)),
    records: damaged,
    repaired: false,
    kept: null,
  }
}
