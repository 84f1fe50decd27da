import { beforeEach, describe, expect, test } from 'vitest'
import { ReinError } from '../../contract/errors.ts'
import type { Told } from '../../contract/routes/directives.ts'
import { Outbox, type Outgoing, type StoreStep } from './outbox.ts'

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
let tooLate: string[]
/** Whether the store had it when it was said to be added. */
let keptAtAdd: boolean[]
let answer: (given: Outgoing) => Promise<Told>
/** What the daemon says of an id. */
let isKnown: (id: string) => Promise<boolean>
let now: number
let isOpen: boolean
let timers: (() => void)[]
/** What the store fails to do. */
let broken: Set<StoreStep>
let failures: StoreStep[]
/** The last in each row of those that want to be alone with a text. */
let rows: Map<string, Promise<void>>
let others: () => void

const touch = async <T>(step: StoreStep, act: () => T): Promise<T> => {
  if (broken.has(step)) throw new Error(`It does not ${step}.`)
  return act()
}

const create = (): Outbox =>
  new Outbox({
    readAll: () => touch('read', () => [...stored.values()]),
    read: (id) => touch('read', () => stored.get(id)),
    put: (given) => touch('keep', () => void stored.set(given.id, given)),
    remove: (id) => touch('remove', () => void stored.delete(id)),
    removeAll: () => touch('remove', () => stored.clear()),
    onAdded: ({ id }) => void keptAtAdd.push(stored.has(id)),
    alone: (id, act) => {
      if (broken.has('lock')) return Promise.reject(new Error('There are no turns.'))
      const done = (rows.get(id) ?? Promise.resolve()).then(act)
      rows.set(
        id,
        done.catch(() => {}),
      )
      return done
    },
    announce: () => others(),
    isOpen: () => isOpen,
    tell: (given) => {
      sent.push(given)
      return answer(given)
    },
    isKnown: (id) => isKnown(id),
    now: () => now,
    after: (_ms, act) => {
      timers.push(act)
      return () => void timers.splice(timers.indexOf(act), 1)
    },
    onStoreFailure: (step) => failures.push(step),
    onTooLate: ({ id }) => tooLate.push(id),
    onRefused: (given, error) => refused.push([given.id, (error as Error).message]),
  })

const fails = (error: ReinError) => async (): Promise<never> => {
  throw error
}
const answerIsLost = fails(new ReinError('unavailable', 'The connection broke.'))

beforeEach(() => {
  stored = new Map()
  sent = []
  refused = []
  tooLate = []
  keptAtAdd = []
  now = 1_000
  isOpen = true
  timers = []
  broken = new Set()
  failures = []
  rows = new Map()
  others = () => {}
  answer = async ({ id }) => told(id)
  isKnown = async () => false
})

describe('outbox', () => {
  test('what is sent is kept no longer, and the answer is known', async () => {
    const outbox = create()
    await outbox.add(outgoing('dir_1'))
    expect([keptAtAdd, stored.size, outbox.waiting.value]).toEqual([[true], 0, []])
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
    await expect.poll(() => sent).toHaveLength(1)
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
  test('is asked for again under the same id', async () => {
    answer = answerIsLost
    const outbox = create()
    await outbox.add(outgoing('dir_1', { expiresInMs: 5_000 }))
    expect(outbox.waiting.value).toMatchObject([{ id: 'dir_1', wasTried: true }])
    now = 4_000
    answer = async ({ id }) => told(id)
    await outbox.flush()
    expect(sent.map(({ id, expiresInMs }) => [id, expiresInMs])).toEqual([
      ['dir_1', 5_000],
      ['dir_1', 2_000],
    ])
    expect([refused, stored.size, outbox.waiting.value]).toEqual([[], 0, []])
  })

  describe('until its time is over', () => {
    let outbox: Outbox
    let asked: string[]
    const askWith = async (say: () => Promise<boolean>): Promise<void> => {
      isKnown = (id) => {
        asked.push(id)
        return say()
      }
      await outbox.flush()
      expect([sent.length, asked]).toEqual([1, ['dir_1']])
    }

    beforeEach(async () => {
      asked = []
      answer = answerIsLost
      outbox = create()
      await outbox.add(outgoing('dir_1', { expiresInMs: 5_000 }))
      now = 6_000
      answer = async ({ id }) => told(id)
    })
    test('is not sent again: what has come in time is settled', async () => {
      await askWith(async () => true)
      expect([refused, stored.size, outbox.waiting.value]).toEqual([[], 0, []])
    })

    test('goes back to the person if the daemon does not have it', async () => {
      await askWith(async () => false)
      expect(refused).toEqual([['dir_1', 'It expired before it arrived.']])
      expect([stored.size, outbox.waiting.value]).toEqual([0, []])
    })

    test('stays unknown, and is asked for again, without an answer', async () => {
      const before = timers.length
      await askWith(answerIsLost)
      expect([refused, stored.size, timers.length]).toEqual([[], 1, before])
    })

    test('stays unknown if it may not be asked', async () => {
      await askWith(() => Promise.reject(new ReinError('forbidden', 'No.')))
      expect([refused, outbox.refusals.value.size]).toEqual([[], 1])
    })
  })

  test('is not known after a reload, either', async () => {
    answer = () => new Promise(() => {})
    void create().add(outgoing('dir_1', { expiresInMs: 5_000 }))
    await expect.poll(() => sent).toHaveLength(1)
    // A page that is gone holds nothing any more.
    rows = new Map()
    answer = fails(new ReinError('forbidden', 'This device may not do this.'))
    isKnown = () => Promise.reject(new ReinError('forbidden', 'This device may not do this.'))
    const outbox = create()
    await outbox.load()
    await outbox.flush()
    expect(outbox.waiting.value).toMatchObject([{ id: 'dir_1', wasTried: true }])
    expect([refused, stored.size]).toEqual([[], 1])
  })

  test.each(['forbidden', 'unknown_device', 'unknown_agent'] as const)(
    'stays unknown if the next answer is %s, also to whether the daemon has it',
    async (code) => {
      answer = answerIsLost
      const outbox = create()
      await outbox.add(outgoing('dir_1'))
      answer = fails(new ReinError(code, 'No.'))
      isKnown = () => Promise.reject(new ReinError(code, 'No.'))
      await outbox.flush()
      expect(outbox.waiting.value).toMatchObject([{ id: 'dir_1', wasTried: true }])
      expect([refused, outbox.refusals.value.get('dir_1')]).toMatchObject([[], { code }])
      await outbox.discard('dir_1')
      expect(outbox.refusals.value.size).toBe(0)
    },
  )

  test.each([true, false])('that is refused at the next try is asked for; the daemon has it: %s', async (has) => {
    answer = answerIsLost
    const outbox = create()
    await outbox.add(outgoing('dir_1'))
    answer = fails(new ReinError('not_running', 'worker was a run that has ended.'))
    isKnown = async () => has
    await outbox.flush()
    expect([stored.size, outbox.waiting.value, refused.length]).toEqual([0, [], has ? 0 : 1])
  })

  test.each(['empty_text', 'invalid_text', 'text_too_large', 'inbox_full'] as const)(
    'is known to be none if the next is %s: the daemon would have known the id',
    async (code) => {
      answer = answerIsLost
      const outbox = create()
      await outbox.add(outgoing('dir_1'))
      answer = fails(new ReinError(code, 'No.'))
      await outbox.flush()
      expect([refused, stored.size, outbox.waiting.value]).toEqual([[['dir_1', 'No.']], 0, []])
    },
  )
})

/** Asks the daemon, which takes until the returned function is called. */
const holdAnswer = (): ((settled: Told | ReinError) => void) => {
  let settle: (settled: Told | ReinError) => void = () => {}
  answer = () =>
    new Promise((resolve, reject) => {
      settle = (settled) => (settled instanceof ReinError ? reject(settled) : resolve(settled))
    })
  return (settled) => settle(settled)
}

test('while it is being sent, it is not said to wait, and cannot be taken back', async () => {
  const settle = holdAnswer()
  const outbox = create()
  const added = outbox.add(outgoing('dir_1'))
  await expect.poll(() => sent).toHaveLength(1)
  expect([...outbox.underWay.value]).toEqual(['dir_1'])
  expect(outbox.waiting.value).toMatchObject([{ wasTried: true }])
  const discarded = outbox.discard('dir_1')
  settle(new ReinError('forbidden', 'No.'))
  await Promise.all([added, discarded])
  expect(refused).toEqual([['dir_1', 'No.']])
  expect(outbox.underWay.value.size).toBe(0)
})

test('what is added while others go out does not overtake them', async () => {
  isOpen = false
  const outbox = create()
  await outbox.add(outgoing('dir_1'))
  await outbox.add(outgoing('dir_2'))
  isOpen = true
  const settle = holdAnswer()
  const flushed = outbox.flush()
  await expect.poll(() => sent).toHaveLength(1)
  await outbox.add(outgoing('dir_3'))
  answer = async ({ id }) => told(id)
  settle(told('dir_1'))
  await flushed
  expect(sent.map(({ id }) => id)).toEqual(['dir_1', 'dir_2', 'dir_3'])
})

test('an answer that does not come is asked for again, also if the connection stays', async () => {
  answer = answerIsLost
  const outbox = create()
  await outbox.add(outgoing('dir_1'))
  answer = async ({ id }) => told(id)
  for (const act of timers) act()
  await expect.poll(() => outbox.waiting.value).toEqual([])
  expect(sent).toHaveLength(2)
})

test('only the newest answers are known', async () => {
  const outbox = create()
  for (let at = 0; at < 120; at += 1) await outbox.add(outgoing(`dir_${at}`))
  expect(outbox.told.value.size).toBe(100)
  expect(outbox.told.value.has('dir_119')).toBe(true)
})

describe('a store that fails', () => {
  test('keeps nothing from being sent', async () => {
    broken = new Set(['read', 'keep', 'remove'])
    const outbox = create()
    await outbox.load()
    await outbox.add(outgoing('dir_1'))
    expect([sent.length, refused, outbox.waiting.value]).toEqual([1, [], []])
    expect(failures).toEqual(['read', 'keep'])
  })

  test('keeps nothing from being handed back', async () => {
    broken = new Set(['read', 'keep', 'remove'])
    answer = fails(new ReinError('unknown_agent', 'There is no agent ada.'))
    const outbox = create()
    await outbox.add(outgoing('dir_1'))
    expect(refused).toEqual([['dir_1', 'There is no agent ada.']])
  })

  test('does not stop those after it', async () => {
    isOpen = false
    const outbox = create()
    await outbox.add(outgoing('dir_1'))
    await outbox.add(outgoing('dir_2'))
    broken = new Set(['read', 'keep', 'remove'])
    answer = async ({ id }) => {
      if (id === 'dir_1') throw new ReinError('unknown_agent', 'There is no agent ada.')
      return told(id)
    }
    isOpen = true
    await outbox.flush()
    expect(sent.map(({ id }) => id)).toEqual(['dir_1', 'dir_2'])
    expect([refused.map(([id]) => id), outbox.waiting.value]).toEqual([['dir_1'], []])
  })

  test('hands nothing back that the daemon has taken', async () => {
    broken = new Set(['remove'])
    const outbox = create()
    await outbox.add(outgoing('dir_1'))
    await outbox.load()
    await outbox.flush()
    expect([sent.length, refused, outbox.waiting.value]).toEqual([1, [], []])
    expect(failures).toEqual(['remove'])
  })

  test('sends nothing from here that was taken back', async () => {
    isOpen = false
    broken = new Set(['remove'])
    const outbox = create()
    await outbox.add(outgoing('dir_1'))
    await outbox.discard('dir_1')
    isOpen = true
    await outbox.load()
    await outbox.flush()
    expect([sent, outbox.waiting.value, failures]).toEqual([[], [], ['remove']])
  })
})

test('a browser that gives no turns: it is told, and what waits stays', async () => {
  isOpen = false
  const outbox = create()
  await outbox.add(outgoing('dir_1'))
  isOpen = true
  broken = new Set(['lock'])
  await Promise.all([outbox.flush(), outbox.discard('dir_1')])
  expect([failures, outbox.waiting.value.length]).toEqual([['lock', 'lock'], 1])
  broken = new Set()
  await outbox.flush()
  expect([sent.length, outbox.waiting.value]).toEqual([1, []])
})

test('what is forgotten altogether is also what only the store knows', async () => {
  isOpen = false
  const outbox = create()
  await outbox.add(outgoing('dir_1'))
  stored.set('dir_2', outgoing('dir_2'))
  await outbox.clear()
  isOpen = true
  await outbox.reload()
  expect([stored.size, outbox.waiting.value, sent]).toEqual([0, [], []])
})

describe('two pages of a browser', () => {
  const createTwo = async (...ids: string[]): Promise<[Outbox, Outbox]> => {
    isOpen = false
    const first = create()
    for (const id of ids) await first.add(outgoing(id, { expiresInMs: 5_000 }))
    const second = create()
    await second.load()
    return [first, second]
  }

  test('what one takes back is not sent by the other', async () => {
    const [first, second] = await createTwo('dir_1')
    await first.discard('dir_1')
    isOpen = true
    await second.flush()
    expect([sent, second.waiting.value]).toEqual([[], []])
  })

  test('send each text once, and what one has sent did not expire in the other', async () => {
    const [first, second] = await createTwo('dir_1', 'dir_2')
    isOpen = true
    await Promise.all([first.flush(), second.flush()])
    expect(sent.map(({ id }) => id)).toEqual(['dir_1', 'dir_2'])
    now = 9_000
    await second.flush()
    expect([refused, first.waiting.value, second.waiting.value]).toEqual([[], [], []])
  })

  test('show the same', async () => {
    const [first, second] = await createTwo('dir_1')
    others = () => void second.reload()
    await first.add(outgoing('dir_2'))
    await expect.poll(() => second.waiting.value.map(({ id }) => id)).toEqual(['dir_1', 'dir_2'])
    await first.discard('dir_1')
    await expect.poll(() => second.waiting.value.map(({ id }) => id)).toEqual(['dir_2'])
  })

  test('what one sends is not said to wait by the other', async () => {
    const [first, second] = await createTwo('dir_1')
    others = () => void second.reload()
    isOpen = true
    const settle = holdAnswer()
    const flushed = first.flush()
    await expect.poll(() => second.waiting.value).toMatchObject([{ wasTried: true }])
    settle(told('dir_1'))
    await flushed
    await expect.poll(() => second.waiting.value).toEqual([])
  })

  test('what one wants back while the other sends it is kept, and the person is told', async () => {
    const [first, second] = await createTwo('dir_1')
    isOpen = true
    const settle = holdAnswer()
    const flushed = first.flush()
    await expect.poll(() => sent).toHaveLength(1)
    const discarded = second.discard('dir_1')
    settle(new ReinError('unavailable', 'The connection broke.'))
    await Promise.all([flushed, discarded])
    expect([tooLate, stored.size]).toEqual([['dir_1'], 1])
    expect(second.waiting.value).toMatchObject([{ wasTried: true }])
    await second.discard('dir_1')
    expect([tooLate.length, stored.size, second.waiting.value]).toEqual([1, 0, []])
  })

  test('that was sent without an answer by one is not known to be unsent by the other', async () => {
    const [first, second] = await createTwo('dir_1')
    isOpen = true
    answer = answerIsLost
    await first.flush()
    answer = fails(new ReinError('forbidden', 'No.'))
    isKnown = () => Promise.reject(new ReinError('forbidden', 'No.'))
    await second.flush()
    expect([refused, stored.size]).toEqual([[], 1])
  })
})
