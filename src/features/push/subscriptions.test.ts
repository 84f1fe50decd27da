import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { now, person, tempDir } from '../../../test/support/builders.ts'
import { byRein } from '../../contract/identity.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { type Subscription, Subscriptions } from './subscriptions.ts'

const phone: Subscription = {
  device: 'dev_1',
  name: 'phone',
  endpoint: 'https://push.example/s3cret',
  p256dh: 'cHVibGlj',
  auth: 'aGlkZGVu',
  at: now,
}

const start = (file = join(tempDir(), 'push/subscriptions.json')) => {
  const records: AnyNewRecord[] = []
  const troubles: unknown[] = []
  const revoked = new Set<string>()
  const create = (): Subscriptions =>
    new Subscriptions({
      file,
      append: async (some) => some.map((one) => records.push(one)),
      isPaired: (device) => !revoked.has(device),
      now: () => now,
      newId: (prefix) => `${prefix}_1`,
      onTrouble: (cause) => void troubles.push(cause),
    })
  const told = () => records.map(({ type, body }) => ({ type, ...body }))
  return { file, records, troubles, revoked, create, told, all: create() }
}

test('endpoint and keys are in a file of this user alone, and in no record', async () => {
  const { file, records, create, all, told } = start()
  await all.add(phone, person)
  expect(create().all).toEqual([phone])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(told()).toEqual([{ type: 'subscription.made', device: 'dev_1', service: 'push.example' }])
  expect(JSON.stringify(records)).not.toMatch(/s3cret|cHVibGlj|aGlkZGVu/)
})

test('a device that is revoked while it subscribes has no subscription in the end', async () => {
  const { all, revoked, told } = start()
  const adding = all.add(phone, person)
  revoked.add('dev_1')
  await Promise.all([all.drop('dev_1', byRein), adding.catch(() => undefined)])
  expect(all.all).toEqual([])
  await expect(all.add(phone, person)).rejects.toMatchObject({ code: 'unknown_device' })
  expect([all.all, told().filter(({ type }) => type === 'subscription.made').length]).toEqual([
    [],
    told().filter(({ type }) => type === 'subscription.ended').length,
  ])
})

test('a device has one subscription, since its first; a browser that was paired again has one', async () => {
  const { create, all, told } = start()
  await all.add(phone, person)
  const renewed = { ...phone, endpoint: 'https://push.example/other', at: now + 5 }
  expect(await all.add(renewed, person)).toEqual({ ...renewed, at: now })
  await all.add({ ...renewed, device: 'dev_2' }, person)
  expect(create().all.map(({ device }) => device)).toEqual(['dev_2'])
  expect(told().slice(2)).toEqual([
    { type: 'subscription.ended', device: 'dev_1', reason: 'moved' },
    { type: 'subscription.made', device: 'dev_2', service: 'push.example' },
  ])
})

test('what is removed is gone; a subscription that was made anew meanwhile stays', async () => {
  const { file, create, all, told } = start()
  const first = await all.add(phone, person)
  const second = await all.add({ ...phone, endpoint: 'https://push.example/other' }, person)
  expect(await all.remove(first, 'gone', person)).toBe(false)
  expect(await all.remove(second, 'asked', person)).toBe(true)
  expect(await all.remove(second, 'asked', person)).toBe(false)
  expect(create().all).toEqual([])
  expect(readFileSync(file, 'utf8')).not.toContain('push.example')
  expect(told().at(-1)).toEqual({ type: 'subscription.ended', device: 'dev_1', reason: 'asked' })
})

test('a damaged file subscribes nobody, and is not quoted', async () => {
  const { file, create, all, troubles } = start()
  await all.add(phone, person)
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20))
  expect(create().all).toEqual([])
  expect(troubles).toEqual([expect.stringContaining(file)])
  expect(String(troubles)).not.toContain('s3cret')
})
