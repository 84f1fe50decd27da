import { expect, test } from 'vitest'
import { isPublicAddress, resolvePublic } from './public-address.ts'

test.each([
  '127.0.0.1',
  '127.8.9.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.127.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '2001:0:7f00:1::',
  '2001:db8::1',
  '2002:7f00:1::1',
  'localhost',
  '',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '142.250.74.234', '2a00:1450:4001::200a', '2620:1ec::1'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

const resolvingTo =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))

test('a host is refused if one of its addresses is private, or if it has none', async () => {
  expect(await resolvePublic('push.example', resolvingTo('8.8.8.8', '2a00:1450::1'))).toHaveLength(2)
  await expect(resolvePublic('push.example', resolvingTo('8.8.8.8', '10.0.0.1'))).rejects.toMatchObject({
    code: 'refused',
    message: 'push.example is in a private network.',
  })
  await expect(resolvePublic('push.example', resolvingTo())).rejects.toMatchObject({ code: 'unavailable' })
  await expect(resolvePublic('push.example', () => Promise.reject(new Error('ENOTFOUND')))).rejects.toMatchObject({
    code: 'unavailable',
  })
  await expect(resolvePublic('localhost')).rejects.toMatchObject({ code: 'refused' })
})
