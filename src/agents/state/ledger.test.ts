import { expect, test } from 'vitest'
import { ReinError } from '../../contract/errors.ts'
import { type AnyNewRecord, newRecord } from '../../contract/record.ts'
import { Ledger } from './ledger.ts'

const record = (count: number): AnyNewRecord => {
  const context = { id: `rec_${count}`, at: count, actor: { kind: 'daemon' as const }, agent: 'agt_1', project: 'p' }
  return newRecord('agent.stop_blocked', { count }, context)
}

const start = () => {
  const disk = { failure: null as ReinError | null, refuses: '', busy: 0 }
  const troubles: string[] = []
  const clock = { now: 1_000_000 }
  const written: string[] = []
  const append = async (records: AnyNewRecord[]): Promise<void> => {
    if (disk.failure !== null) throw disk.failure
    disk.busy -= 1
    if (disk.busy >= 0) throw new ReinError('failed', 'The database failed: SQLITE_BUSY: database is locked')
    if (records.some(({ id }) => id === disk.refuses)) throw new ReinError('failed', 'Not storable')
    written.push(...records.map(({ id }) => id))
  }
  const onTrouble = (where: string, cause: unknown): void => void troubles.push(`${where}: ${String(cause)}`)
  return { disk, clock, written, troubles, ledger: new Ledger({ append, now: () => clock.now, onTrouble }) }
}

test('what there was no room for is written later, before what came after it', async () => {
  const { disk, clock, written, ledger } = start()
  await ledger.write(record(1))
  disk.failure = new ReinError('storage_full', 'no room')
  await Promise.all([ledger.write(record(2)), ledger.write(record(3))])
  clock.now += 60_000
  await ledger.tick()
  disk.failure = null
  await ledger.write(record(4))
  expect(written).toEqual(['rec_1'])
  clock.now += 60_000
  await ledger.tick()
  await ledger.write(record(5))
  expect(written).toEqual(['rec_1', 'rec_2', 'rec_3', 'rec_4', 'rec_5'])
})

test('what cannot be stored at all keeps nothing else from being written', async () => {
  const { disk, clock, written, troubles, ledger } = start()
  disk.refuses = 'rec_1'
  await ledger.write(record(1))
  await ledger.write(record(2))
  clock.now += 60_000
  await ledger.tick()
  await ledger.write(record(3))
  expect(written).toEqual(['rec_2', 'rec_3'])
  expect(troubles).toEqual([
    expect.stringMatching(/rec_1 .*agent\.stop_blocked.*agt_1.*kept.*Not storable/),
    expect.stringMatching(/rec_1 .*agent\.stop_blocked.*agt_1.*given up.*Not storable/),
  ])
})

test.each([
  ['damaged', new ReinError('storage_damaged', 'malformed')],
  ['busy', new ReinError('failed', 'The database failed: SQLITE_BUSY: database is locked')],
  ['without memory', new ReinError('failed', 'The database failed: SQLITE_NOMEM: out of memory')],
  ['unreadable', new ReinError('failed', 'The database failed: SQLITE_IOERR_READ: disk I/O error')],
])('nothing is given up while nothing can be stored: a database that is %s', async (_, failure) => {
  const { disk, clock, written, troubles, ledger } = start()
  disk.failure = failure
  for (const count of [1, 2, 3]) {
    await ledger.write(record(count))
    clock.now += 60_000
    await ledger.tick()
  }
  disk.failure = null
  clock.now += 60_000
  await ledger.tick()
  expect(written).toEqual(['rec_1', 'rec_2', 'rec_3'])
  expect(troubles.join()).not.toContain('given up')
})

test('a database that fails in the middle of a round costs no record', async () => {
  const { disk, clock, written, troubles, ledger } = start()
  disk.failure = new ReinError('storage_full', 'no room')
  for (const count of [1, 2]) await ledger.write(record(count))
  disk.failure = null
  // Together, and the first one alone.
  disk.busy = 2
  clock.now += 60_000
  await ledger.tick()
  expect([written.toSorted(), troubles]).toEqual([['rec_1', 'rec_2'], []])
})

test('what was kept and can never be stored is given up by name, and the others are written in their order', async () => {
  const { disk, clock, written, troubles, ledger } = start()
  disk.failure = new ReinError('storage_full', 'no room')
  for (const count of [1, 2, 3]) await ledger.write(record(count))
  Object.assign(disk, { failure: null, refuses: 'rec_2' })
  clock.now += 60_000
  await ledger.tick()
  await ledger.write(record(4))
  expect(written).toEqual(['rec_1', 'rec_3', 'rec_4'])
  expect(troubles).toEqual([expect.stringContaining('rec_2')])
})
