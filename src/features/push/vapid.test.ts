import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { authorize, VapidKeys } from './vapid.ts'

const createFile = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'rein-vapid-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return join(dir, 'push/vapid.json')
}

test('the key is made once, also by two who need it at the same time, and only its owner can read it', async () => {
  const file = createFile()
  const keys = new VapidKeys(file)
  const [first, second] = await Promise.all([keys.get(), keys.get()])
  expect(second.publicKey).toBe(first.publicKey)
  expect((await new VapidKeys(file).get()).publicKey).toBe(first.publicKey)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
  expect(Buffer.from(first.publicKey, 'base64url')).toHaveLength(65)
})

test.each(['', '{}', '{"kty":"EC","crv":"P-384"}'])('a damaged key is not replaced: %j', async (damaged) => {
  const file = createFile()
  await new VapidKeys(file).get()
  writeFileSync(file, damaged)
  await expect(new VapidKeys(file).get()).rejects.toMatchObject({
    code: 'failed',
    hint: expect.stringContaining('rm '),
  })
  expect(readFileSync(file, 'utf8')).toBe(damaged)
})

test.each([
  [null, 'mailto:nobody@example.com'],
  ['ada@example.org', 'mailto:ada@example.org'],
  ['https://example.org/me', 'https://example.org/me'],
])('the token names service, end and contact: %s', async (contact, sub) => {
  const file = createFile()
  const key = await new VapidKeys(file).get()
  const value = authorize(key, { audience: 'https://push.example', contact, now: 1_000_000 })
  const [, head = '', claims = '', signature = ''] = /^vapid t=([^.]+)\.([^.]+)\.([^,]+), k=/.exec(value) ?? []
  expect(value.endsWith(`k=${key.publicKey}`)).toBe(true)
  const read = (part: string): unknown => JSON.parse(String(Buffer.from(part, 'base64url')))
  expect(read(head)).toEqual({ typ: 'JWT', alg: 'ES256' })
  expect(read(claims)).toEqual({ aud: 'https://push.example', exp: 1_000 + 12 * 3600, sub })
  const { d: _, ...jwk } = JSON.parse(readFileSync(file, 'utf8')) as JsonWebKey
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  expect(verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url'))).toBe(true)
})
