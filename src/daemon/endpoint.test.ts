import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../test/support/builders.ts'
import { loadEndpoint, saveEndpoint } from './endpoint.ts'

test('port and secrets are the same in the next daemon, and for nobody else to read', async () => {
  const path = join(tempDir(), 'endpoint.json')
  const endpoint = { ...loadEndpoint(path), port: 4000, lost: { port: 3000, at: 5 } }
  await saveEndpoint(path, endpoint)
  expect(loadEndpoint(path)).toEqual(endpoint)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('each first start has secrets of its own', () => {
  const [one, two] = [loadEndpoint('/no/such/file'), loadEndpoint('/no/such/file')]
  expect(one.port).toBe(0)
  expect(one.token).not.toBe(two.token)
  expect(one.secret).not.toBe(one.token)
  expect(one.secret.length).toBeGreaterThanOrEqual(40)
})

test.each(['', 'garbage', '[]', '{"port":"x","token":5,"lost":{"port":1}}'])(
  'a damaged file (%j) is as good as none',
  (content) => {
    const path = join(tempDir(), 'endpoint.json')
    writeFileSync(path, content)
    const { port, token, lost } = loadEndpoint(path)
    expect([port, token.length, lost]).toEqual([0, 43, undefined])
  },
)

test.each(['', ' ', 'short', ' '.repeat(50), 'x'.repeat(42)])(
  'a secret that everybody could guess (%j) is not taken',
  (weak) => {
    const path = join(tempDir(), 'endpoint.json')
    writeFileSync(path, JSON.stringify({ port: 4000, token: weak, secret: weak }))
    const { port, token, secret } = loadEndpoint(path)
    expect([port, token.length, secret.length]).toEqual([4000, 43, 43])
    expect([token, secret]).not.toContain(weak)
  },
)
