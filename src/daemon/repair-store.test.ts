import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { history } from '../../test/support/arbitraries.ts'
import { aNote, tempDir } from '../../test/support/builders.ts'
import { allTables, dump } from '../../test/support/in-process-log.ts'
import { copyInto } from '../base/log/repair/store.ts'
import { LogWriter } from '../base/log/writer.ts'
import { migrate } from '../base/store/migrate.ts'
import { type Database, openDatabase, openForWriting } from '../base/store/sqlite.ts'
import { requireStructure } from './check-store.ts'
import { lookAtStore, repairStore } from './repair-store.ts'
import { migrations, projectors } from './schema.ts'
import { requirePresent, type StoreFiles, storeFiles, writeMarker } from './store-files.ts'

const pageSize = 4096
const quiet = (): void => undefined

/** A closed database with some history in it, enough for trees of several pages, and (maybe) a copy of all of it. */
const aStore = (hasCopy: boolean): { files: StoreFiles; before: string; count: number } => {
  const state = tempDir()
  const files = storeFiles({ state, database: join(state, 'rein.db') })
  const db = openForWriting(files.database)
  migrate(db, migrations)
  const writer = new LogWriter(db, projectors)
  const [records = []] = fc.sample(history, { numRuns: 1, seed: 7 })
  const notes = Array.from({ length: 300 }, (_, n) => aNote(`note-${n}`))
  writer.write([
    { kind: 'append', records: [...records, ...notes], cursors: [{ reader: 'turns', topic: 'file:x', position: 9 }] },
  ])
  mkdirSync(files.copies)
  if (hasCopy) copyInto(db, join(files.copies, '2026-11-17.db'))
  const before = stateIn(db)
  const count = Number(db.prepare('SELECT count(*) AS n FROM record').get()?.n)
  db.close()
  writeMarker(files, { version: '0.1.0', isOpen: false, isSuspect: false })
  return { files, before, count }
}

const stateIn = (db: Database): string => dump(db, allTables(db))

const open = <T>(file: string, read: (db: Database) => T): T => {
  const db = openDatabase(file, { readOnly: true })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

const zero = (file: string, page: number): void => {
  const bytes = readFileSync(file)
  bytes.fill(0, (page - 1) * pageSize, page * pageSize)
  writeFileSync(file, bytes)
}

const countIn = (files: StoreFiles): number =>
  open(files.database, (db) => Number(db.prepare('SELECT count(*) AS n FROM record').get()?.n))

/** Every ninth is enough to find most faults; REIN_EVERY_PAGE=1 takes a minute. */
const pagesOf = (bytes: number): number[] => {
  const step = process.env['REIN_EVERY_PAGE'] === '1' ? 1 : 9
  const all = Array.from({ length: bytes / pageSize }, (_, index) => index + 1)
  return all.filter((page) => page % step === 1 % step || page === all.length)
}

test('pages, zeroed one after the other: with the daily copy nothing is lost', () => {
  const { files, before } = aStore(true)
  const sound = readFileSync(files.database)
  for (const page of pagesOf(sound.length)) {
    writeFileSync(files.database, sound)
    zero(files.database, page)
    repairStore(files, quiet)
    open(files.database, requireStructure)
    expect(open(files.database, stateIn), `page ${page}`).toBe(before)
  }
})

test('pages, zeroed one after the other: without a copy what is on the others is there, and the rest is named', () => {
  const { files, count } = aStore(false)
  const sound = readFileSync(files.database)
  for (const page of pagesOf(sound.length)) {
    writeFileSync(files.database, sound)
    zero(files.database, page)
    const look = lookAtStore(files, quiet)
    expect(look.pages, `page ${page}`).toContain(page)
    const { records, kept, repaired } = repairStore(files, quiet)
    expect([repaired, records], `page ${page}`).toEqual([true, look.records])
    open(files.database, requireStructure)
    expect(countIn(files) + records.length, `page ${page}`).toBe(count)
    expect(statSync(join(kept ?? '', 'rein.db')).size).toBe(sound.length)
  }
})

test('any bytes flipped, also where it does not show: the copy gives back every record as it was', () => {
  const { files } = aStore(true)
  const records = (db: Database): string => dump(db, ['record', 'directive', 'agent'])
  const before = open(files.database, records)
  const sound = readFileSync(files.database)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(sound.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 40 }),
      (flips) => {
        const bytes = Buffer.from(sound)
        for (const [at, mask] of flips) bytes[at] = (bytes[at] ?? 0) ^ mask
        writeFileSync(files.database, bytes)
        repairStore(files, quiet)
        open(files.database, requireStructure)
        expect(open(files.database, records)).toBe(before)
      },
    ),
    { numRuns: 8 },
  )
})

test('a file that was cut off gives what is left, and no number is given out twice', () => {
  const { files, count } = aStore(false)
  truncateSync(files.database, statSync(files.database).size - 12 * pageSize)
  const { topics } = repairStore(files, quiet)
  expect(topics.reduce((sum, { kept }) => sum + kept, 0)).toBe(countIn(files))
  const next = open(files.database, (db) => Number(db.prepare('SELECT seq FROM sqlite_sequence').get()?.seq))
  expect(next).toBeGreaterThanOrEqual(count)
})

test.each(['missing', 'empty'] as const)('a database that is %s is refused, and the copy gives it back', (state) => {
  const { files, before } = aStore(true)
  for (const end of ['', '-wal', '-shm']) rmSync(`${files.database}${end}`, { force: true })
  if (state === 'empty') writeFileSync(files.database, '')
  expect(() => requirePresent(files)).toThrow(`is ${state}, and there was one`)
  expect(lookAtStore(files, quiet)).toMatchObject({ state, repaired: false })
  repairStore(files, quiet)
  expect(() => requirePresent(files)).not.toThrow()
  expect(open(files.database, stateIn)).toBe(before)
})

test('without a file and without a copy nothing is made up', () => {
  const { files } = aStore(false)
  rmSync(files.database)
  expect(() => repairStore(files, quiet)).toThrow('Nothing can be read')
  expect(existsSync(files.database)).toBe(false)
})

test('what is only in the log beside an emptied database comes back', () => {
  const { files } = aStore(false)
  const db = openForWriting(files.database)
  new LogWriter(db, projectors).write([{ kind: 'append', records: [aNote('last')], cursors: [] }])
  const wal = readFileSync(`${files.database}-wal`)
  db.close()
  writeFileSync(files.database, '')
  writeFileSync(`${files.database}-wal`, wal)
  repairStore(files, quiet)
  expect(open(files.database, (one) => one.prepare("SELECT 1 AS n FROM record WHERE id = 'last'").get())).toEqual({
    n: 1,
  })
})
