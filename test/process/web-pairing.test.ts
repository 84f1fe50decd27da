import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { DeviceKey } from '../../src/contract/device.ts'
import { quoted } from '../../src/base/util/shell.ts'
import { allScopes, createKey, enter, pairDevice, postPair, signPairing } from '../support/page-client.ts'
import { commandAgents, runUnder } from './commanded-agent.ts'
import { type Box, createBox, repository, run, until } from './harness.ts'
import { sharePage, startIn, startPage } from './page-box.ts'

const shared = sharePage()

const refusalOf = async (answer: Response): Promise<unknown> => {
  const { error } = (await answer.json()) as { error: { code: string } }
  return [answer.status, error.code]
}

describe('pairing', () => {
  test('gives a device what its code was made for, once', async () => {
    const { client, port } = await startPage()
    const { code, url } = await client.pairStart({ scopes: ['read', 'answer'], name: 'phone' })
    expect(url).toBe(`http://127.0.0.1:${port}/#pair=${code}`)
    const answer = await postPair(port, { code, name: 'Firefox', key: createKey().key })
    expect(await answer.json()).toMatchObject({ device: { name: 'phone', scopes: ['read', 'answer'] } })
    expect(await refusalOf(await postPair(port, { code, name: 'Firefox', key: createKey().key }))).toEqual([
      403,
      'forbidden',
    ])
    expect(await client.devices({})).toMatchObject([{ name: 'phone', scopes: ['read', 'answer'], connections: 0 }])
  })

  test('wrong codes are in the log once a minute, and keep nobody from pairing', async () => {
    const { box, client, port } = shared()
    const { key } = createKey()
    const { code } = await client.pairStart({ scopes: ['read'] })
    const statuses: number[] = []
    for (let tries = 0; tries < 12; tries += 1)
      statuses.push((await postPair(port, { code: `${code.slice(0, -2)}${10 + tries}`, name: 'x', key })).status)
    expect(statuses).toEqual(Array<number>(12).fill(403))
    const { device } = (await (await postPair(port, { code, name: 'x', key })).json()) as { device: { id: string } }
    await client.revokeDevice({ id: device.id })
    expect(box.log()).toContainEqual(expect.objectContaining({ msg: 'codes', refused: 1 }))
  })

  test.each([
    ['a key that is no point', { key: { ...createKey().key, x: 'A'.repeat(43) } }],
    ['a key of another curve', { key: { ...createKey().key, crv: 'P-384' } }],
    ['no key', { key: undefined }],
    ['a name that steers a terminal', { name: 'x\u001b[2J' }],
    ['a name that turns the text around', { name: 'a\u202eb' }],
    ['no name', { name: '' }],
  ])('%s is refused', async (_, wrong) => {
    const { client, port } = shared()
    const { code } = await client.pairStart({ scopes: ['read'] })
    const answer = await postPair(port, { code, name: 'x', key: createKey().key, ...wrong })
    expect(await refusalOf(answer)).toEqual([400, 'usage'])
    expect(await client.devices({})).toEqual([])
  })

  test('a browser that is paired again is the same device, with the rights of the new code', async () => {
    const { client, port } = await startPage()
    const { key, id } = await pairDevice(client, port, ['read'])
    const { code } = await client.pairStart({ scopes: ['read', 'tell'] })
    await postPair(port, { code, name: 'Firefox', key })
    expect(await client.devices({})).toMatchObject([{ id, name: 'phone', scopes: ['read', 'tell'] }])
  })

  test.each([
    [
      'of another key',
      ({ code }: { code: string }, origin: string) => {
        const [thief, name] = [createKey(), 'x']
        return signPairing({ code, name, key: thief.key }, origin).signature
      },
    ],
    [
      'for another code',
      ({ key }: { key: DeviceKey }, origin: string) => signPairing({ code: 'other', key }, origin).signature,
    ],
    [
      'for another page',
      ({ code, key }: { code: string; key: DeviceKey }) => signPairing({ code, key }, 'http://evil.example').signature,
    ],
    ['that is none', () => 'x'],
  ] as const)('with the public key of a device and a signature %s changes nothing of that device', async (_, sign) => {
    const { client, port } = await startPage()
    const { id, key } = await pairDevice(client, port, ['read'])
    const { code } = await client.pairStart({ scopes: allScopes })
    const signature = sign({ code, key }, `http://127.0.0.1:${port}`) ?? ''
    expect(await refusalOf(await postPair(port, { code, name: 'x', key, signature }))).toEqual([403, 'forbidden'])
    expect(await client.devices({})).toMatchObject([{ id, name: 'phone', scopes: ['read'] }])
  })

  test('needs to say at which address the page is', async () => {
    const { client, port } = shared()
    const { code } = await client.pairStart({ scopes: ['read'] })
    const answer = await fetch(`http://127.0.0.1:${port}/v1/web/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signPairing({ code, name: 'x', key: createKey().key }, `http://127.0.0.1:${port}`)),
    })
    expect(await refusalOf(answer)).toEqual([403, 'forbidden'])
    expect(await client.devices({})).toEqual([])
  })

  test('two devices of one name can be told apart', async () => {
    const { client, port } = await startPage()
    await pairDevice(client, port, ['read'])
    await pairDevice(client, port, ['read'])
    expect((await client.devices({})).map(({ name }) => name)).toEqual(['phone', 'phone-2'])
  })

  test('codes are made over the socket alone, also with the token of the user', async () => {
    const { port, token } = shared()
    const answer = await fetch(`http://127.0.0.1:${port}/v1/web/codes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ scopes: ['admin'] }),
    })
    expect(await refusalOf(answer)).toEqual([403, 'forbidden'])
  })
})

test('a device with admin is told the names of the page; another one is not', async () => {
  const { client, port } = await startIn(createBox({ REIN_WEB_HOSTS: 'localhost:8080 Box.example' }))
  const admin = await enter(await pairDevice(client, port, ['admin']))
  expect(await admin.call('webHosts')).toEqual({ hosts: ['localhost:8080', 'box.example'], port })
  const reader = await enter(await pairDevice(client, port, ['read']))
  await expect(reader.call('webHosts')).rejects.toMatchObject({ code: 'forbidden' })
})

test('an agent makes no code, and pairs with none', async () => {
  const { box, client, port } = await startPage()
  commandAgents(box)
  await box.runningAgent('mallory')
  const own = ['PATH', 'HOME', 'REIN_HOME'].map((name) => `${name}=${quoted(box.env[name] ?? '')}`)
  const bareLine = `setsid -w env -i ${own.join(' ')} ${quoted(process.execPath)} ${quoted(`${repository}/bin/rein.cjs`)} web --url`
  for (const line of ['rein web --url', 'rein web pair', 'rein web devices', bareLine]) {
    const { code, stdout, stderr } = await runUnder(box, 'mallory', line)
    expect([line, code, `${stdout}${stderr}`]).toEqual([
      line,
      expect.any(Number),
      expect.not.stringContaining('#pair='),
    ])
    expect(code).not.toBe(0)
  }
  const { code } = await client.pairStart({ scopes: allScopes })
  const origin = `http://127.0.0.1:${port}`
  const body = JSON.stringify(signPairing({ code, name: 'x', key: createKey().key }, origin))
  const { stdout } = await runUnder(
    box,
    'mallory',
    `env -i curl -s -H 'content-type: application/json' -H 'origin: ${origin}' --data ${quoted(body)} http://127.0.0.1:${port}/v1/web/pair`,
  )
  expect(stdout).toContain('This browser was started by the agent mallory.')
  // It is spent, as any code that somebody has brought.
  expect((await postPair(port, JSON.parse(body))).status).toBe(403)
  expect(await client.devices({})).toEqual([])
})

/** Every file that Rein has, but for the database, whose records hold neither codes nor private keys either. */
const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const holding = (box: Box, secrets: string[]): string[] =>
  filesBelow(box.env['REIN_HOME'] ?? '').filter((file) => {
    const content = readFileSync(file, 'latin1')
    return secrets.some((secret) => content.includes(secret))
  })

test('the code is on no command line, and when it is used in no file either', async () => {
  const { box, client, port } = await startPage()
  const [shown, bin] = [join(box.root, 'shown'), join(box.root, 'bin')]
  await run(['mkdir', bin], {})
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$@" >${shown}.new; mv ${shown}.new ${shown}\n`, {
    mode: 0o755,
  })
  const env = { DISPLAY: ':0', PATH: `${bin}:${box.env['PATH']}` }
  const { stdout, code: exit } = await box.rein(['web'], { env })
  const [, code = ''] = /#pair=([\w-]{22})$/m.exec(stdout) ?? []
  expect([exit, code]).toEqual([0, expect.stringMatching(/^[\w-]{22}$/)])
  await until(() => existsSync(shown))
  const opener = readFileSync(shown, 'utf8').trim()
  expect(opener).not.toContain(code)
  expect(readFileSync(opener, 'utf8')).toContain(`url=http://127.0.0.1:${port}/#pair=${code}`)
  expect(statSync(opener).mode & 0o777).toBe(0o600)
  expect((await run(['ps', '-eo', 'args'], { env: { PATH: box.env['PATH'] ?? '' } })).stdout).not.toContain(code)

  const { key, privateKey } = createKey()
  const { device } = (await (await postPair(port, { code, name: 'Firefox', key })).json()) as { device: { id: string } }
  expect(existsSync(opener)).toBe(false)
  const tab = await enter({ port, id: device.id, privateKey })
  const challenge = await tab.challenge()
  await client.tell({ target: 'nobody', cwd: box.cwd, text: 'x', from: 'me' }).catch(() => undefined)
  expect(holding(box, [code, challenge, privateKey.export({ format: 'jwk' }).d ?? ''])).toEqual([])
  expect(JSON.stringify(box.log())).toContain('"paired"')
})

test('a daemon that follows one that was killed removes what led to its codes', async () => {
  const box = createBox()
  const daemon = await box.daemon()
  const { opener } = await box.client().pairStart({ scopes: ['read'], opener: true })
  expect(existsSync(opener ?? '')).toBe(true)
  await daemon.kill()
  expect(existsSync(opener ?? '')).toBe(true)
  await box.daemon()
  expect(existsSync(opener ?? '')).toBe(false)
})
