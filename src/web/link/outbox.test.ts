import { beforeEach, describe, expect, test } from 'vitest'
import { ReinError } from '../../contract/errors.ts'
import type { Told } from '../../contract/routes/directives.ts'
import { Outbox, type Outgoing } from './outbox.ts'

const outgoing = (id: string, more: Partial<Outgoing> = {}): Outgoing => ({
  id,
  project: 'shop',
  handle: 'ada',
  text: `text of ${id}`,
  priority: 'normal',
  expiresInMs: null,
  writtenAt: 1_000,
  ...more,
})
const told = (id: string): Told => ({ id, handle: 'ada', project: 'shop', state: 'queued', steps: [], delivery: 'now' })

let stored: Map<string, Outgoing>
let sent: Outgoing[]
let refused: [id: string, message: string][]
let answer: (given: Outgoing) => Promise<Told>
let now: number
let isOpen: boolean

const create = (): Outbox =>
  new Outbox({
    readAll: async () => [...stored.values()],
    put: async (given) => void stored.set(given.id, given),
    remove: async (id) => void stored.delete(id),
    isOpen: () => isOpen,
    tell: (given) => {
      sent.push(given)
      return answer(given)
    },
    now: () => now,
    onRefused: (given, error) => refused.push([given.id, (error as Error).message]),
  })

const fails = (error: ReinError) => async (): Promise<Told> => {
  throw error
}
const answerIsLost = fails(new ReinError('unavailable', 'The connection broke.'))

beforeEach(() => {
  stored = new Map()
  sent = []
  refused = []
  now = 1_000
  isOpen = true
  answer = async ({ id }) => told(id)
})

describe('outbox', () => {
  test('what is sent is kept no longer, and the answer is known', async () => {
    const outbox = create()
    await outbox.add(outgoing('dir_1'))
    expect([stored.size, outbox.waiting.value]).toEqual([0, []])
    expect(outbox.told.value.get('dir_1')?.delivery).toBe('now')
  })

  test('without a connection it waits, over a reload, and goes out in order under its own id', async () => {
    isOpen = false
    const before = create()
    await before.add(outgoing('dir_2', { writtenAt: 2_000 }))
    await before.add(outgoing('dir_1'))
    const outbox = create()
    await outbox.load()
    expect(outbox.waiting.value.map(({ id }) => id)).toEqual(['dir_1', 'dir_2'])
    isOpen = true
    await outbox.flush()
    expect(sent.map(({ id }) => id)).toEqual(['dir_1', 'dir_2'])
    expect([stored.size, outbox.waiting.value]).toEqual([0, []])
  })

  test('what is under way is not sent beside itself', async () => {
    const outbox = create()
    let resolve: (answer: Told) => void = () => {}
    answer = () => new Promise((settle) => (resolve = settle))
    const added = outbox.add(outgoing('dir_1'))
    await Promise.resolve()
    await outbox.flush()
    resolve(told('dir_1'))
    await added
    expect(sent).toHaveLength(1)
  })

  test('what the daemon refuses goes back to the person', async () => {
    answer = fails(new ReinError('unknown_agent', 'There is no agent ada.'))
    const outbox = create()
    await outbox.add(outgoing('dir_1'))
    expect(refused).toEqual([['dir_1', 'There is no agent ada.']])
    expect([stored.size, outbox.waiting.value]).toEqual([0, []])
  })

  test('its time runs while it waits', async () => {
    isOpen = false
    const outbox = create()
    await outbox.add(outgoing('dir_1', { expiresInMs: 5_000 }))
    await outbox.add(outgoing('dir_2', { expiresInMs: 2_000 }))
    now = 4_000
    isOpen = true
    await outbox.flush()
    expect(sent.map(({ id, expiresInMs }) => [id, expiresInMs])).toEqual([['dir_1', 2_000]])
    expect(refused).toEqual([['dir_2', 'It expired before there was a connection.']])
  })

  test('one that the person takes back is not sent', async () => {
    isOpen = false
    const outbox = create()
    await outbox.add(outgoing('dir_1'))
    await outbox.discard('dir_1')
    isOpen = true
    await outbox.flush()
    expect([sent, stored.size]).toEqual([[], 0])
  })

  test('one that is taken back while it is written down is not sent', async () => {
    const outbox = create()
    const added = outbox.add(outgoing('dir_1'))
    await outbox.discard('dir_1')
    await added
    expect([sent, stored.size]).toEqual([[], 0])
  })
})

describe('an answer that was lost', () => {
  test('is asked for again after its time, under the same id: the text is not handed back', async () => {
    answer = answerIsLost
    const outbox = create()
    await outbox.add(outgoing('dir_1', { expiresInMs: 5_000 }))
    expect(outbox.waiting.value).toMatchObject([{ id: 'dir_1', wasTried: true }])
    now = 9_000
    answer = async ({ id }) => told(id)
    await outbox.flush()
    expect(sent.map(({ id, expiresInMs }) => [id, expiresInMs])).toEqual([
      ['dir_1', 5_000],
      ['dir_1', 1],
    ])
    expect([refused, stored.size, outbox.waiting.value]).toEqual([[], 0, []])
  })

  test('is not known after a reload, either', async () => {
    answer = () => new Promise(() => {})
    void create().add(outgoing('dir_1', { expiresInMs: 5_000 }))
    await expect.poll(() => sent).toHaveLength(1)
    now = 9_000
    answer = fails(new ReinError('forbidden', 'This device may not do this.'))
    const outbox = create()
    await outbox.load()
    await outbox.flush()
    expect(outbox.waiting.value).toMatchObject([{ id: 'dir_1', wasTried: true }])
    expect([refused, stored.size]).toEqual([[], 1])
  })

  test.each(['forbidden', 'unknown_device', 'unknown_agent'] as const)(
    'stays unknown if the next answer is %s: the daemon may have taken the first',
    async (code) => {
      answer = answerIsLost
      const outbox = create()
      await outbox.add(outgoing('dir_1'))
      answer = fails(new ReinError(code, 'No.'))
      await outbox.flush()
      expect(outbox.waiting.value).toMatchObject([{ id: 'dir_1', wasTried: true }])
      expect(refused).toEqual([])
    },
  )
})
