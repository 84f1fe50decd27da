import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { agentRef, anAgent, now, person, tempDir } from '../../../test/support/builders.ts'
import { answering, startPushService } from '../../../test/support/fake-push-service.ts'
import type { Outgoing } from '../../contract/channel.ts'
import type { Scope } from '../../contract/scope.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { Outbox } from '../channels/outbox.ts'
import { evolveOutgoing, isOutgoingRecord, type OutboxItem, outgoingId } from '../channels/channel.ts'
import { testPush } from './message.ts'
import { postPush } from './post.ts'
import { Pusher } from './pusher.ts'
import { Subscriptions } from './subscriptions.ts'
import { VapidKeys } from './vapid.ts'

const question = {
  id: 'q1',
  kind: 'permission' as const,
  tool: 'Bash',
  input: { command: 'ls' },
  summary: 'Bash: ls',
}

/** A device that is subscribed at a push service, and an outbox with three attempts on a clock of its own. */
const start = async ({ showsDetail = true, scopes = ['read', 'answer'] as Scope[] } = {}) => {
  const service = await startPushService()
  const records: AnyNewRecord[] = []
  const devices = new Map([['dev_1', { scopes }]])
  let ids = 0
  let current = anAgent({ state: 'awaiting_permission', question })
  const clock = { now }
  const common = {
    append: async (some: AnyNewRecord[]) => some.map((one) => records.push(one)),
    now: () => clock.now,
    newId: (prefix: string) => `${prefix}_${++ids}`,
  }
  const item = (id: string): OutboxItem | undefined =>
    records
      .map((one, seq) => ({ ...one, seq }))
      .filter((one) => isOutgoingRecord(one))
      .filter((one) => outgoingId(one) === id)
      .reduce<OutboxItem | undefined>(evolveOutgoing, undefined)
  const outbox = new Outbox(
    { ...common, load: () => [], find: item, elapsed: () => clock.now, onDead: () => undefined },
    { maxPending: 10, maxAttempts: 3 },
  )
  const dir = tempDir()
  const keys = new VapidKeys(join(dir, 'vapid.json'))
  const subscriptions = new Subscriptions({
    ...common,
    file: join(dir, 'subscriptions.json'),
    isPaired: (id) => devices.has(id),
    onTrouble: (cause) => expect.unreachable(String(cause)),
  })
  const settled: (() => void)[] = []
  const pusher = new Pusher({
    outbox: {
      take: (...asked) => outbox.take(...asked),
      settle: (...said) => outbox.settle(...said).finally(() => settled.shift()?.()),
    },
    subscriptions,
    keys,
    device: (id) => devices.get(id) ?? null,
    agent: () => current,
    post: (posting) => postPush(posting, { now: () => clock.now, allowsLoopback: true }),
    showsDetail,
    contact: null,
    now: () => clock.now,
    pause: () => expect.unreachable(),
    onTrouble: (cause) => expect.unreachable(String(cause)),
  })
  const { p256dh, auth } = service.keys
  const subscription = await subscriptions.add(
    { device: 'dev_1', name: 'phone', endpoint: service.endpoint, p256dh, auth, at: now },
    person,
  )
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  void pusher.run(ending.signal)
  /** Resolves with the next thing that became of it. */
  const become = async (cause: () => unknown, id = 'out_1'): Promise<OutboxItem | undefined> => {
    const done = new Promise<void>((resolve) => settled.push(resolve))
    await cause()
    await done
    return item(id)
  }
  const send = (more: Partial<Outgoing> = {}) => {
    const { id: agent, handle, project } = agentRef
    const text = JSON.stringify({ event: 'asks', handle, project, agent, at: now, what: '', question: 'q1' })
    return outbox.add({ id: 'out_1', channel: 'web-push', text, from: null, at: now, replyTo: null, ...more }, person)
  }
  /** Wakes those who wait for something to be due. */
  const pass = (ms: number) => {
    clock.now += ms
    return outbox.add({ id: `out_${ms}`, channel: 'other', text: '', from: null, at: now, replyTo: null }, person)
  }
  const told = () =>
    records.filter(({ topic }) => topic === 'subscriptions').map(({ type, body }) => ({ type, ...body }))
  const answer = (): void => void (current = anAgent())
  return {
    service,
    keys,
    outbox,
    pusher,
    subscription,
    subscriptions,
    devices,
    become,
    send,
    pass,
    told,
    answer,
    records,
  }
}

test('a question is pushed: sealed for the browser, with a token for its service', async () => {
  const { service, keys, become, send } = await start()
  expect(await become(send)).toMatchObject({ state: 'delivered' })
  const [pushed] = service.pushed
  expect(pushed).toMatchObject({
    path: '/push/secret-part',
    message: {
      title: 'worker asks you',
      body: 'Bash\ncommand: ls',
      question: { id: 'q1' },
      actions: ['allow', 'deny'],
    },
    claims: { aud: service.origin, exp: now / 1000 + 12 * 3600, sub: 'mailto:nobody@example.com' },
    key: (await keys.get()).publicKey,
    headers: { 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '14400', topic: pushed?.message.tag },
  })
})

test('a device that may not answer is offered no answers', async () => {
  const { service, become, send } = await start({ scopes: ['read', 'tell'] })
  await become(send)
  expect(service.pushed[0]?.message).toMatchObject({ title: 'worker asks you', actions: [] })
})

test('a busy service is asked again when it wishes, and given up in the end', async () => {
  const { service, become, send, pass } = await start()
  service.answers.push(answering(503, { 'retry-after': '60' }), answering(429), answering(500))
  expect(await become(send)).toMatchObject({ state: 'pending', attempts: 1, until: now + 60_000 })
  const second = await become(() => pass(60_000))
  expect(second).toMatchObject({ state: 'pending', attempts: 2, reason: 'phone: status 429' })
  expect(await become(() => pass(600_000))).toMatchObject({ state: 'dead', reason: 'phone: status 500' })
  expect(service.pushed).toHaveLength(3)
})

test('a question that was answered meanwhile is not pushed again', async () => {
  const { service, become, send, pass, answer } = await start()
  service.answers.push(answering(503))
  await become(send)
  answer()
  expect(await become(() => pass(600_000))).toMatchObject({ state: 'skipped', reason: 'it is answered, or too old' })
  expect(service.pushed).toHaveLength(1)
})

test.each([404, 410])('a subscription that has ended is removed: %i', async (status) => {
  const { service, become, send, told, subscriptions } = await start()
  service.answers.push(answering(status))
  expect(await become(send)).toMatchObject({ state: 'skipped', reason: 'no browser is subscribed to it' })
  expect(subscriptions.all).toEqual([])
  expect(told().at(-1)).toEqual({ type: 'subscription.ended', device: 'dev_1', reason: 'gone' })
})

test('a service that takes less gets less, once', async () => {
  const { service, become, send } = await start()
  service.answers.push(answering(413))
  expect(await become(send)).toMatchObject({ state: 'delivered' })
  const [first, second] = service.pushed.map(({ message }) => message)
  expect(second).toEqual({ ...first, body: '', actions: [] })
  service.answers.push(answering(413), answering(413))
  expect(await become(() => send({ id: 'out_2' }), 'out_2')).toMatchObject({
    state: 'dead',
    reason: 'phone: status 413',
  })
})

test('what is refused for good is a dead letter at once; a redirect is not followed', async () => {
  const { service, become, send } = await start()
  service.answers.push(answering(307, { location: `${service.origin}/elsewhere` }))
  expect(await become(send)).toMatchObject({ state: 'dead', reason: 'phone: status 307' })
  expect(service.pushed).toHaveLength(1)
})

test('each device gets it once, also when another one has to wait', async () => {
  const { service, subscriptions, devices, become, send, pass, subscription } = await start()
  const slow = await startPushService()
  devices.set('dev_2', { scopes: ['read'] })
  const { p256dh, auth } = slow.keys
  await subscriptions.add({ ...subscription, device: 'dev_2', endpoint: slow.endpoint, p256dh, auth }, person)
  slow.answers.push(answering(503))
  expect(await become(send)).toMatchObject({ state: 'pending' })
  expect(await become(() => pass(600_000))).toMatchObject({ state: 'delivered' })
  expect([service.pushed.length, slow.pushed.length]).toEqual([1, 2])
  expect(slow.pushed[1]?.message.actions).toEqual([])
})

test('neither a revoked device nor one that came later gets it', async () => {
  const { service, devices, become, send } = await start()
  expect(await become(() => send({ at: now - 1 }))).toMatchObject({ state: 'skipped' })
  devices.clear()
  expect(await become(() => send({ id: 'out_2' }), 'out_2')).toMatchObject({ state: 'skipped' })
  expect(service.pushed).toEqual([])
})

test('what one device refused goes to that one alone when somebody retries it', async () => {
  const { service, subscriptions, devices, outbox, become, send, subscription } = await start()
  const strict = await startPushService()
  devices.set('dev_2', { scopes: ['read'] })
  const { p256dh, auth } = strict.keys
  await subscriptions.add(
    { ...subscription, device: 'dev_2', name: 'tablet', endpoint: strict.endpoint, p256dh, auth },
    person,
  )
  strict.answers.push(answering(403))
  expect(await become(send)).toMatchObject({ state: 'dead', reason: 'tablet: status 403' })
  expect(await become(() => outbox.retry('out_1', person))).toMatchObject({ state: 'delivered' })
  expect([service.pushed.length, strict.pushed.length]).toEqual([1, 2])
})

test('no record names the endpoint or the keys', async () => {
  const { service, become, send, pusher, subscription, records } = await start()
  service.answers.push(answering(503))
  await become(send)
  expect(await pusher.push(subscription, testPush(now, 'dev_1'))).toEqual({ kind: 'taken' })
  const { p256dh, auth } = service.keys
  for (const secret of ['secret-part', p256dh, auth]) expect(JSON.stringify(records)).not.toContain(secret)
})

test('while the outbox fails, a worker waits before it asks again', async () => {
  const dir = tempDir()
  const ending = new AbortController()
  const done: string[] = []
  const pusher = new Pusher({
    outbox: {
      take: async () => {
        done.push('take')
        if (done.length > 20) ending.abort()
        throw new Error('no space left on device')
      },
      settle: () => expect.unreachable(),
    },
    subscriptions: new Subscriptions({
      file: join(dir, 'subscriptions.json'),
      append: async () => [],
      isPaired: () => true,
      now: () => now,
      newId: String,
      onTrouble: (cause) => expect.unreachable(String(cause)),
    }),
    keys: new VapidKeys(join(dir, 'vapid.json')),
    device: () => null,
    agent: () => null,
    post: () => expect.unreachable(),
    showsDetail: true,
    contact: null,
    now: () => now,
    pause: async () => {
      done.push('pause')
      if (done.filter((one) => one === 'pause').length === 4) ending.abort()
    },
    onTrouble: () => undefined,
  })
  await pusher.run(ending.signal)
  expect(done.toSorted()).toEqual([...Array(4).fill('pause'), ...Array(4).fill('take')])
})
