import { join } from 'node:path'
import { expect, test } from 'vitest'
import { now, owner, person, tempDir } from '../../../test/support/builders.ts'
import { createBrowser } from '../../../test/support/fake-push-service.ts'
import type { Channel } from '../../contract/channel.ts'
import type { Actor } from '../../contract/identity.ts'
import { SubscribePushInput } from '../../contract/routes/push.ts'
import type { Push } from './message.ts'
import { pushHandlers } from './handlers.ts'
import type { PushOutcome } from './post.ts'
import { Subscriptions } from './subscriptions.ts'
import { VapidKeys } from './vapid.ts'

const onPhone: Actor = { kind: 'user', name: 'ada', via: { kind: 'device', id: 'dev_1', name: 'phone' } }
const endpoint = 'http://127.0.0.1:9/push/s3cret'

const start = (outcome: PushOutcome = { kind: 'taken' }) => {
  const dir = tempDir()
  const pushed: Push[] = []
  const set: [string, unknown][] = []
  const subscriptions = new Subscriptions({
    file: join(dir, 'subscriptions.json'),
    append: async (some) => some.map(() => 1),
    isPaired: () => true,
    now: () => now,
    newId: (prefix) => `${prefix}_1`,
    onTrouble: (cause) => expect.unreachable(String(cause)),
  })
  const handlers = pushHandlers({
    keys: new VapidKeys(join(dir, 'vapid.json')),
    subscriptions,
    pusher: {
      push: async (_, push) => {
        pushed.push(push)
        return outcome as Exclude<PushOutcome, { kind: 'too_large' }>
      },
    },
    channels: () => ({
      set: async (name, changes) => {
        set.push([name, changes])
        return {} as Channel
      },
    }),
    showsDetail: false,
    allowsLoopback: true,
    now: () => now,
  })
  const { keys } = createBrowser()
  const asked = (actor: Actor, more: object = {}) => {
    const input = SubscribePushInput.parse({ endpoint, keys, ...more })
    return { actor, input, params: {}, signal: new AbortController().signal }
  }
  return { ...handlers, asked, keys, pushed, set, subscriptions }
}

test('a paired browser subscribes, sees that, and unsubscribes', async () => {
  const { pushKey, subscribePush, unsubscribePush, asked, set } = start()
  const before = await pushKey(asked(onPhone))
  expect(before).toMatchObject({ subscription: null, showsDetail: false })
  expect(await subscribePush(asked(onPhone))).toEqual({ service: '127.0.0.1:9', at: now })
  expect(await pushKey(asked(onPhone))).toEqual({ ...before, subscription: { service: '127.0.0.1:9', at: now } })
  expect((await pushKey(asked(person))).subscription).toBeNull()
  expect(set).toEqual([['web-push', { isHuman: true, isKept: true, senders: [] }]])
  expect(await unsubscribePush(asked(onPhone))).toEqual({ wasSubscribed: true })
  expect(await unsubscribePush(asked(onPhone))).toEqual({ wasSubscribed: false })
})

test.each([person, owner])('who is no browser has no notifications: %o', async (actor) => {
  const { subscribePush, unsubscribePush, testPush, asked, subscriptions } = start()
  for (const ask of [subscribePush, unsubscribePush, testPush])
    await expect(ask(asked(actor))).rejects.toMatchObject({ code: 'refused' })
  expect(subscriptions.all).toEqual([])
})

test('what no push service gave out is refused', async () => {
  const { subscribePush, asked, keys, subscriptions } = start()
  const noPoint = Buffer.alloc(65, 4).toString('base64url')
  const bad = [
    { endpoint: 'http://push.example/x' },
    { endpoint: 'https://localhost/x' },
    { keys: { ...keys, p256dh: noPoint } },
  ]
  const codes = ['usage', 'refused', 'usage']
  for (const [at, more] of bad.entries())
    await expect(subscribePush(asked(onPhone, more))).rejects.toMatchObject({ code: codes[at] })
  expect(subscriptions.all).toEqual([])
})

test.each([
  { endpoint: 'x'.repeat(2_049) },
  { keys: { p256dh: 'short', auth: 'A'.repeat(22) } },
  { keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(4_000) } },
  { keys: { p256dh: 'A'.repeat(87), auth: '!'.repeat(22) } },
])('the form is checked: %#', (more) => {
  const { keys } = createBrowser()
  expect(SubscribePushInput.safeParse({ endpoint, keys }).success).toBe(true)
  expect(SubscribePushInput.safeParse({ endpoint, keys, expirationTime: null, ...more }).success).toBe(false)
})

test('a test notification says whether it was taken', async () => {
  const { subscribePush, testPush, asked, pushed } = start()
  await expect(testPush(asked(onPhone))).rejects.toMatchObject({ code: 'not_found' })
  await subscribePush(asked(onPhone))
  expect(await testPush(asked(onPhone))).toEqual({ service: '127.0.0.1:9' })
  expect(pushed[0]?.message).toMatchObject({ event: 'test', title: 'Rein can reach you', actions: [] })
})

test.each<[PushOutcome, string]>([
  [{ kind: 'gone' }, 'not_found'],
  [{ kind: 'later', reason: 'status 503' }, 'unavailable'],
  [{ kind: 'refused', reason: 'status 403' }, 'unavailable'],
])('a test that is not taken: %o', async (outcome, code) => {
  const { subscribePush, testPush, asked } = start(outcome)
  await subscribePush(asked(onPhone))
  await expect(testPush(asked(onPhone))).rejects.toMatchObject({ code })
})
