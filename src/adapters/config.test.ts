import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { tempDir } from '../../test/support/builders.ts'
import { channelNamed, readConfig, readSecret, Secret } from './config.ts'
import { ConfigError } from './kind.ts'

const Config = z.strictObject({
  channel: channelNamed('pager'),
  jobs: z.array(z.strictObject({ every: z.int() })).default([]),
  token: Secret.optional(),
})

const read = (name: string, text: string): Promise<unknown> => {
  const file = join(tempDir(), name)
  writeFileSync(file, text)
  return readConfig(file, Config)
}

test('is TOML or JSON', async () => {
  const config = { channel: 'ops', jobs: [{ every: 5 }], token: { env: 'TOKEN' } }
  expect(await read('a.json', JSON.stringify(config))).toEqual(config)
  expect(await read('a.toml', 'channel = "ops"\ntoken = { env = "TOKEN" }\n[[jobs]]\nevery = 5\n')).toEqual(config)
  expect(await read('empty.toml', '')).toEqual({ channel: 'pager', jobs: [] })
})

test.each([
  ['a.toml', 'channel = "a/b"', /a\.toml: channel: Invalid string/],
  [
    'a.toml',
    '[[jobs]]\nevery = 1\n[[jobs]]\nevery = "x"',
    /a\.toml: jobs\[1\]\.every: Invalid input: expected number, received string/,
  ],
  ['a.toml', 'jbos = 1', /a\.toml: Unrecognized key: "jbos"/],
  ['a.toml', 'token = "123:abc"', /a\.toml: token: must be { file = "…" } or { env = "…" }/],
  ['a.toml', 'channel = ', /a\.toml:1:\d+: not valid TOML/],
  ['a.json', '{"channel":', /a\.json: not valid JSON: /],
  ['a.json', '[]', /a\.json: Invalid input: expected object/],
])('%s with %j is refused', async (name, text, message) => {
  const refused = read(name, text)
  await expect(refused).rejects.toThrow(ConfigError)
  await expect(refused).rejects.toThrow(message)
})

test.each(['', '   ', 'seven77', ' seven77 '])('a secret that can be guessed (%j) is refused', async (value) => {
  const world = { dir: '/', env: { TOKEN: value } }
  await expect(readSecret('token', { env: 'TOKEN' }, world)).rejects.toThrow(
    /^token: TOKEN (?:is empty|has less than 8 characters)\.$/,
  )
  expect(await readSecret('token', { env: 'TOKEN' }, { dir: '/', env: { TOKEN: ' eight888\n' } })).toBe('eight888')
})

test('that is not there is refused', async () => {
  await expect(readConfig('/no/such/file.toml', Config)).rejects.toThrow('There is no file /no/such/file.toml.')
})
