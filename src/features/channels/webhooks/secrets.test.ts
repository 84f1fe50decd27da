import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import { WebhookSecrets } from './secrets.ts'

const start = () => {
  const dir = join(tempDir(), 'channels')
  let made = 0
  return { dir, secrets: new WebhookSecrets(dir, () => `secret-${++made}`) }
}

test('one is made where signatures are wanted and there is none, and shown once', async () => {
  const { secrets } = start()
  expect([secrets.of('hub'), await secrets.set('hub', {}), secrets.of('hub')]).toEqual([null, null, null])
  expect([await secrets.set('hub', { signature: null }), secrets.of('hub')]).toEqual([null, null])
  expect([await secrets.set('hub', { signature: 'github' }), secrets.of('hub')]).toEqual(['secret-1', 'secret-1'])
  expect([await secrets.set('hub', { signature: 'slack' }), secrets.of('hub')]).toEqual([null, 'secret-1'])
})

test('one that is given replaces it, for its own channel alone', async () => {
  const { secrets } = start()
  await secrets.set('hub', { signature: 'github' })
  expect(await secrets.set('hub', { secret: 'given to me' })).toBe('given to me')
  expect([secrets.of('hub'), secrets.of('other')]).toEqual(['given to me', null])
})

test('one that is too short to be a secret is none', async () => {
  const { secrets } = start()
  for (const secret of ['', '1234567']) await secrets.set('hub', { secret })
  expect([secrets.of('hub'), await secrets.set('hub', { signature: 'github' })]).toEqual([null, 'secret-1'])
})

test('lies where only this user reads it, and nowhere before it is needed', async () => {
  const { dir, secrets } = start()
  expect([secrets.of('hub'), existsSync(dir)]).toEqual([null, false])
  await secrets.set('hub', { secret: 'given to me' })
  const modes = [dir, join(dir, 'hub.secret')].map((path) => statSync(path).mode & 0o777)
  expect([modes, readdirSync(dir)]).toEqual([[0o700, 0o600], ['hub.secret']])
})

test('is gone when it is to be forgotten, and the next one is another', async () => {
  const { dir, secrets } = start()
  await secrets.set('hub', { signature: 'github' })
  secrets.forget('hub')
  secrets.forget('never-had-one')
  expect([secrets.of('hub'), readdirSync(dir)]).toEqual([null, []])
  expect(await secrets.set('hub', { signature: 'github' })).toBe('secret-2')
})
