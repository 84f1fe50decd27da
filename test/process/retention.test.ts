import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { projectors } from '../../src/daemon/schema.ts'
import { LogWriter } from '../../src/base/log/writer.ts'
import { type Database, openDatabase, openForWriting } from '../../src/base/store/sqlite.ts'
import { turnRecords } from '../support/turn-records.ts'
import { type Box, createBox, select, until } from './harness.ts'

const dayMs = 86_400_000
const megabyte = 1024 * 1024
const daily = { REIN_LOG_RETENTION_DAYS: '1', REIN_LOG_IDLE_S: '1', REIN_LOG_COPIES: '0' }

const changed = (box: Box, change: (db: Database) => void): void => {
  const db = openForWriting(box.paths.database)
  change(db)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

/** An agent with an open directive, and much else, all of it ten days old. */
const anOldBox = async (): Promise<{ box: Box; directive: string }> => {
  const box = createBox()
  const daemon = await box.daemon()
  await box.stoppedAgent()
  const { id } = await box.client().tell({ target: 'worker', cwd: box.cwd, text: 'still open', from: 'tester' })
  await box.client({ start: false }).stop()
  await daemon.ended
  const at = Date.now() - 10 * dayMs
  const blocks = Array.from({ length: 10 }, () => ({ type: 'text' as const, text: 'x'.repeat(3000) }))
  const records = Array.from({ length: 300 }, (_, n) => turnRecords({ turn: `t${n}`, at, blocks })).flat()
  changed(box, (db) => {
    new LogWriter(db, projectors).write([{ kind: 'append', records, cursors: [] }])
    db.exec(`UPDATE record SET at = ${at}`)
  })
  expect(statSync(box.paths.database).size).toBeGreaterThan(8 * megabyte)
  return { box, directive: id }
}

const size = ({ paths: { database } }: Box): number =>
  statSync(database).size + (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0)

const expectWhole = async (box: Box, directive: string): Promise<void> => {
  expect(select(box.paths, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect((await box.client().inbox({ target: 'worker', cwd: box.cwd })).map(({ id }) => id)).toEqual([directive])
  const turns = select(
    box.paths,
    "SELECT type, count(*) AS n FROM record WHERE topic = 'turns' GROUP BY type ORDER BY 1",
  )
  expect(turns).toEqual([
    { type: 'turn.ended', n: 300 },
    { type: 'turn.started', n: 300 },
  ])
}

test('what is old gives its disk back; what is open, and the tree of sessions, stays', async () => {
  const { box, directive } = await anOldBox()
  await box.daemon({ env: daily })
  await until(() => size(box) < 2 * megabyte)
  expect(select(box.paths, 'PRAGMA auto_vacuum')).toEqual([{ auto_vacuum: 2 }])
  await expectWhole(box, directive)
})

test('control: what is not old enough stays, and so does its disk', async () => {
  const { box } = await anOldBox()
  await box.daemon({ env: { ...daily, REIN_LOG_RETENTION_DAYS: '30', REIN_LOG_COPIES: '1' } })
  await until(() => select(box.paths, 'PRAGMA page_count').length > 0 && hasCopy(box))
  expect(size(box)).toBeGreaterThan(8 * megabyte)
})

const hasCopy = ({ paths }: Box): boolean => statSync(`${paths.state}/copies`, { throwIfNoEntry: false }) !== undefined

test('a database of an older Rein, which cannot give pages back, is written anew once', async () => {
  const { box, directive } = await anOldBox()
  changed(box, (db) => db.exec('PRAGMA auto_vacuum = NONE; VACUUM'))
  await box.daemon({ env: daily })
  await until(() => size(box) < 2 * megabyte)
  await expectWhole(box, directive)
  expect(select(box.paths, 'PRAGMA auto_vacuum')).toEqual([{ auto_vacuum: 2 }])
})

test.each(['in_prune:3', 'in_vacuum:1'])(
  'killed %s, the next daemon goes on where it was, and nothing is lost',
  async (fault) => {
    const { box, directive } = await anOldBox()
    const daemon = await box.daemon({ env: { ...daily, REIN_FAULT: fault } })
    expect(await daemon.ended).toBe('SIGKILL')
    expect(readFileSync(box.paths.database).subarray(0, 15).toString()).toBe('SQLite format 3')
    const db = openDatabase(box.paths.database)
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    db.close()
    await box.daemon({ env: daily })
    await until(() => size(box) < 2 * megabyte)
    await expectWhole(box, directive)
  },
)
