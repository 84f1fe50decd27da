import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { emptyDatabase, startLog } from '../../test/support/in-process-log.ts'
import { databaseChecks } from './database-checks.ts'
import type { ReinPaths } from '../base/util/paths.ts'
import type { Settings } from '../base/config/settings.ts'
import { storeFiles } from './store-files.ts'
import { Upkeep } from './upkeep.ts'

const dayMs = 24 * 60 * 60 * 1000
const megabyte = 1024 * 1024

/** The upkeep of a database that nobody needs now; copying it would fail, for there is no program here that does it. */
const start = (free: number) => {
  const { log, path } = startLog()
  const paths = { state: dirname(path), database: path } as ReinPaths
  const files = storeFiles(paths)
  const clock = { now: 10 * dayMs }
  const disk = { free, asked: [] as string[] }
  const troubles: string[] = []
  const settings = { 'log.copies': 2, 'log.idle_s': 5, 'log.retention_days': 30 } as Settings
  const journal = { write: (_: string, fields: object) => void troubles.push(JSON.stringify(fields)) }
  const now = (): number => clock.now
  const freeBytes = (dir: string): number => {
    disk.asked.push(dir)
    return disk.free
  }
  const upkeep = new Upkeep({ log, reader: emptyDatabase(), files, settings, journal, damage: [], now, freeBytes })
  const lookAfter = async (): Promise<void> => {
    // Old records first; then it has been quiet for long enough.
    await upkeep.beat()
    clock.now += 10 * 60_000
    await upkeep.beat()
  }
  const parts = { base: { paths, settings, now }, damage: [], upkeep, since: clock.now }
  return { upkeep, lookAfter, files, disk, troubles, check: () => databaseChecks(parts)[1] }
}

test.each([
  ['nothing', 0],
  ['less than others need', 255 * megabyte],
  ['not enough for two more databases', 256 * megabyte + 1],
])('where the disk has %s left, no daily copy is begun, and that is said', async (_, free) => {
  const { upkeep, lookAfter, files, disk, check } = start(free)
  expect(check()).toMatchObject({ ok: true, detail: 'There is none yet.' })
  await lookAfter()
  expect(upkeep.obstacle).toBe('The disk is too full for another one.')
  expect(check()).toMatchObject({
    name: 'database copy',
    ok: false,
    detail: 'There is none yet. The disk is too full for another one.',
    hint: expect.stringContaining('Free some space'),
  })
  expect(existsSync(files.copies)).toBe(false)
  expect(disk.asked).toContain(dirname(files.database))
})

test('where there is room for it, the copy is begun', async () => {
  const { upkeep, lookAfter, files, disk, troubles } = start(0)
  await lookAfter()
  disk.free = 256 * megabyte + 2 * statSync(files.database).size + 64 * megabyte
  expect(troubles).toEqual([])
  await lookAfter()
  expect(upkeep.obstacle).toBeNull()
  expect(existsSync(files.copies)).toBe(true)
})
