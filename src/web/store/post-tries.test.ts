import { beforeEach, expect, test } from 'vitest'
import { PostTries } from './post-tries.ts'

let stored: Map<string, string>
let isFull: boolean
let lastId: number

const create = (): PostTries =>
  new PostTries({
    store: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, text) => {
        if (isFull) throw new Error('The quota is exceeded.')
        stored.set(key, text)
      },
      removeItem: (key) => void stored.delete(key),
    },
    newId: () => `post_${++lastId}`,
    digest: (text) => Promise.resolve(`digest-of-${text.length}-${text.charCodeAt(0)}`),
  })

beforeEach(() => {
  stored = new Map()
  isFull = false
  lastId = 0
})

test('the same text is the same post until it was taken, also after a reload', async () => {
  const tries = create()
  expect(await tries.idFor('shop/general', 'Hello.')).toBe('post_1')
  expect(await tries.idFor('shop/general', 'Hello.')).toBe('post_1')
  const reloaded = create()
  expect(await reloaded.idFor('shop/general', 'Hello.')).toBe('post_1')
  reloaded.settle('shop/general')
  expect([...stored]).toEqual([])
  expect(await reloaded.idFor('shop/general', 'Hello.')).toBe('post_2')
})

test('what another page has settled is settled', async () => {
  const [one, other] = [create(), create()]
  expect(await one.idFor('shop/general', 'Hello.')).toBe('post_1')
  expect(await other.idFor('shop/general', 'Hello.')).toBe('post_1')
  other.settle('shop/general')
  expect(await one.idFor('shop/general', 'Hello.')).toBe('post_2')
})

test('another text and another room is another post, and no text is stored', async () => {
  const tries = create()
  const ids = [
    await tries.idFor('shop/general', 'Hello.'),
    await tries.idFor('shop/general', 'Good bye.'),
    await tries.idFor('shop/tests', 'Good bye.'),
  ]
  expect(ids).toEqual(['post_1', 'post_2', 'post_3'])
  expect([...stored].join()).not.toMatch(/Hello|bye/)
})

test('a full store: it is known in this page', async () => {
  isFull = true
  const tries = create()
  expect(await tries.idFor('shop/general', 'Hello.')).toBe('post_1')
  expect(await tries.idFor('shop/general', 'Hello.')).toBe('post_1')
})
