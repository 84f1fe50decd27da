import { beforeAll, describe, expect, test } from 'vitest'
import { bundleWorker, killInPlace, killRestores, killSnapshots } from '../process/snapshot-states.ts'
import { testSeed } from '../support/seeded.ts'

/** With `REIN_SNAPSHOT_WALKS`, at every step. */
const kills = { count: process.env['REIN_SNAPSHOT_WALKS'] === undefined ? 8 : Infinity, seed: testSeed }

beforeAll(bundleWorker)

describe(`kill -9 at ${kills.count} steps`, () => {
  test('of a restore leaves old and new files, and both states can be reached', async () => {
    expect(await killRestores(kills)).toBeGreaterThanOrEqual(8)
  })

  test('of somebody who writes files in place would be noticed', async () => {
    expect(await killInPlace(kills)).toEqual(expect.arrayContaining(['changed', 'gone']))
  })

  test('of a snapshot leaves snapshots that work, the first one included', async () => {
    expect(await killSnapshots(kills)).toBeGreaterThanOrEqual(8)
  })
})
