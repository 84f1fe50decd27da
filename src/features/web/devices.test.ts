import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DeviceKey, DeviceName } from '../../contract/device.ts'
import { byRein } from '../../contract/identity.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { createKey } from '../../../test/support/page-client.ts'
import { emptyDatabase } from '../../../test/support/in-process-log.ts'
import { checkOrigin, Devices, freeDeviceName } from './devices.ts'

test('a name that is free stays, and one that is taken gets a number', () => {
  expect(freeDeviceName('phone', new Set())).toBe('phone')
  expect(freeDeviceName('phone', new Set(['phone']))).toBe('phone-2')
  expect(freeDeviceName('phone', new Set(['phone', 'phone-2']))).toBe('phone-3')
})

test('it is a name of its own, however long and however many have it', () => {
  const name = fc.stringMatching(/^[a-zé7][a-z ._é7]{0,39}$/).filter((text) => DeviceName.safeParse(text).success)
  fc.assert(
    fc.property(name, fc.integer({ min: 1, max: 12 }), (wanted, count) => {
      const taken = new Set<string>()
      for (let times = 0; times < count; times += 1) {
        const free = freeDeviceName(wanted, taken)
        expect([taken.has(free), DeviceName.safeParse(free).success]).toEqual([false, true])
        taken.add(free)
      }
    }),
  )
})

const origin = 'http://127.0.0.1:7000'

const aHouse = () => {
  const written: AnyNewRecord[] = []
  let count = 0
  const devices = new Devices({
    append: async (records) => {
      written.push(...records)
      return []
    },
    reader: emptyDatabase(),
    now: () => 1,
    newId: (prefix) => `${prefix}_${(count += 1)}`,
    journal: { write: () => undefined },
    onTrouble: (cause) => {
      throw cause
    },
  })
  const pair = (key: DeviceKey = createKey().key) =>
    devices.pair({ scopes: ['read'], name: null }, { name: 'phone', key, origin })
  return { devices, pair, written }
}

test('a device connects from the address that it was paired at, and from no other', async () => {
  const device = await aHouse().pair()
  expect(device.origin).toBe(origin)
  expect(() => checkOrigin(device, origin)).not.toThrow()
  expect(() => checkOrigin(device, 'http://127.0.0.1:7001')).toThrow(`This device was paired at ${origin}`)
})

test('one that is paired again is connected anew, with its new rights', async () => {
  const { devices, pair } = aHouse()
  const { key } = createKey()
  const cut: string[] = []
  devices.connect(await pair(key), (why) => cut.push(why))
  expect(cut).toEqual([])
  await pair(key)
  expect(cut).toEqual(['paired'])
})

test('of two browsers that pair in one moment each has a name, and each key a device of its own', async () => {
  const { devices, pair } = aHouse()
  const { key } = createKey()
  await Promise.all([pair(), pair(), pair(key), pair(key)])
  expect(devices.all.map(({ name }) => name)).toEqual(['phone', 'phone-2', 'phone-3'])
})

test('a device that is paired again while it is revoked has one end', async () => {
  const { devices, pair } = aHouse()
  const { key } = createKey()
  const { id } = await pair(key)
  const [revoked, again] = await Promise.all([devices.revoke(id, byRein), pair(key)])
  expect([revoked.revokedAt, devices.find(id), devices.find(again.id)?.id]).toEqual([1, null, again.id])
})

test('all are revoked at once by Rein itself, and their connections end', async () => {
  const { devices, pair, written } = aHouse()
  const [first, second] = [await pair(), await pair()]
  const cut: string[] = []
  devices.connect(first, () => cut.push(first.id))
  await devices.revoke(second.id, { kind: 'user', name: 'user' })
  await devices.revokeAll()
  expect([devices.find(first.id), devices.find(second.id), cut]).toEqual([null, null, [first.id]])
  expect(written.filter(({ type }) => type === 'device.revoked').map(({ actor }) => actor.kind)).toEqual([
    'user',
    'daemon',
  ])
})
