import { beforeEach, expect, test } from 'vitest'
import { PageDatabase } from './database.ts'

/** A request that succeeds with a value, or fails with an error, as soon as somebody can hear it. */
const answer = (settled: { result?: unknown; error?: Error }): EventTarget => {
  const request = Object.assign(new EventTarget(), settled)
  queueMicrotask(() => request.dispatchEvent(new Event(settled.error === undefined ? 'success' : 'error')))
  return request
}

class FakeDatabase extends EventTarget {
  isClosed = false
  close(): void {
    this.isClosed = true
  }
  transaction(): IDBTransaction {
    if (this.isClosed) throw new Error('The database connection is closing.')
    const transaction = Object.assign(new EventTarget(), {
      error: ending === 'abort' ? new Error('The disk is full.') : null,
      objectStore: () => ({ get: () => answer({ result: 'kept' }), put: () => answer({ result: undefined }) }),
    })
    setTimeout(() => transaction.dispatchEvent(new Event(ending)))
    return transaction as unknown as IDBTransaction
  }
}

let openings: { result?: FakeDatabase; error?: Error }[]
let ending: 'complete' | 'abort'
let opened: number

const create = (): PageDatabase =>
  new PageDatabase(() => ({
    open: () => {
      const next = openings[opened] ?? {}
      opened += 1
      return answer(next) as IDBOpenDBRequest
    },
  }))
const read = (database: PageDatabase): Promise<unknown> => database.read('device', (store) => store.get('own'))

beforeEach(() => {
  openings = [{ result: new FakeDatabase() }, { result: new FakeDatabase() }]
  ending = 'complete'
  opened = 0
})

test('is opened once', async () => {
  const database = create()
  expect(await Promise.all([read(database), read(database)])).toEqual(['kept', 'kept'])
  expect(opened).toBe(1)
})

test('is opened again after it could not be opened', async () => {
  openings = [{ error: new Error('The disk is full.') }, { result: new FakeDatabase() }]
  const database = create()
  await expect(read(database)).rejects.toThrow('The disk is full.')
  expect(await read(database)).toBe('kept')
})

test.each(['close', 'versionchange'])('is opened again after a %s', async (event) => {
  const database = create()
  await read(database)
  const [first] = openings
  first?.result?.dispatchEvent(new Event(event))
  expect(first?.result?.isClosed).toBe(event === 'versionchange')
  expect(await read(database)).toBe('kept')
  expect(opened).toBe(2)
})

test('is opened again after it was closed without a word', async () => {
  const database = create()
  await read(database)
  openings[0]?.result?.close()
  await expect(read(database)).rejects.toThrow('closing')
  expect(await read(database)).toBe('kept')
})

test('what is thrown away at the end was not written', async () => {
  ending = 'abort'
  await expect(create().write('device', (store) => store.put({}, 'own'))).rejects.toThrow('The disk is full.')
})
