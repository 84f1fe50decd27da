import { expect, test } from 'vitest'
import { ReinError } from '../contract/errors.ts'
import { type AnyNewRecord, newRecord } from '../contract/record.ts'
import { Ledger } from './ledger.ts'

const record = (count: number): AnyNewRecord => {
  const context = { id: `rec_${count}`, at: count, actor: { kind: 'daemon' as const }, agent: 'agt_1', project: 'p' }
  return newRecord('agent.stop_blocked', { count }, context)
}

const start = () => {
  const disk = { failure: null as ReinError | null, refuses: '' }
  const troubles: string[] = []
  const clock = { now: 1_000_000 }
  const written: string[] = []
  const append = async (records: AnyNewRecord[]): Promise<void> => {
    if (disk.failure !== null) throw disk.failure
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
  const { disk, written, troubles, ledger } = start()
  disk.failure = new ReinError('failed', 'Not storable')
  await ledger.write(record(1))
  expect(troubles).toEqual([expect.stringMatching(/rec_1 .*agent\.stop_blocked.*agt_1.*given up.*Not storable/)])
  disk.failure = null
  await ledger.write(record(2))
  expect(written).toEqual(['rec_2'])
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
