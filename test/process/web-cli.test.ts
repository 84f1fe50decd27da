import { type AddressInfo, createServer } from 'node:net'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { enter, pairDevice } from '../support/page-client.ts'
import { createBox } from './harness.ts'
import { endpointOf } from './mcp-call.ts'

describe('rein web', () => {
  test('without a browser prints the address', async () => {
    const box = createBox()
    const { stdout } = await box.rein(['web'])
    expect(stdout).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${endpointOf(box).port}/#pair=[\\w-]{22}\\n$`))
    const { stdout: json } = await box.rein(['web', '--json'], { env: { DISPLAY: ':0' } })
    expect(JSON.parse(json)).toMatchObject({ url: expect.stringContaining('#pair='), opener: null })
  })

  test('with a browser that cannot be started prints it, too', async () => {
    const box = createBox()
    const { stdout, code } = await box.rein(['web'], { env: { DISPLAY: ':0', PATH: '/nowhere' } })
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/127/)])
  })
})

describe('rein web pair', () => {
  test('says what the device may do, and what is missing for a phone', async () => {
    const box = createBox()
    const { stdout } = await box.rein(['web', 'pair'])
    expect(stdout).toContain('It may: read, tell, answer.')
    expect(stdout).toContain('rein docs web')
    const narrow = await box.rein(['web', 'pair', '--scope', 'read,answer', '--name', 'phone', '--json'])
    expect(JSON.parse(narrow.stdout)).toMatchObject({ scopes: ['read', 'answer'] })
  })

  test('takes the first of web.hosts, or the one that is named', async () => {
    const box = createBox({ REIN_WEB_HOSTS: 'box.tail1234.ts.net localhost:8080' })
    expect((await box.rein(['web', 'pair'])).stdout).toMatch(/^https:\/\/box\.tail1234\.ts\.net\/#pair=/)
    expect((await box.rein(['web', 'pair', '--host', 'localhost:8080'])).stdout).toMatch(/^http:\/\/localhost:8080\//)
    const wrong = await box.rein(['web', 'pair', '--host', 'evil.example'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('is not in web.hosts')])
  })

  test.each([
    [['--scope', 'read,everything'], '"everything" is none of read, tell, answer, control, files, admin'],
    [['--scope', ''], '"" is none of'],
    [['--name', 'x\u001b[2J'], 'up to 40 letters'],
  ])('%j is refused with what there is', async (args, words) => {
    const { code, stderr } = await createBox().rein(['web', 'pair', ...args])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })
})

test('devices are listed and revoked by name, and rein doctor names them', async () => {
  const box = createBox()
  const client = box.client()
  await client.hello()
  expect((await box.rein(['web', 'devices'])).stdout).toContain('No device is paired. Open the page: rein web')
  const device = await pairDevice(client, endpointOf(box).port, ['read', 'answer'])
  await enter(device)
  const { stdout } = await box.rein(['web', 'devices'])
  expect(stdout).toMatch(/^phone +read,answer +.* +connected +dev_[0-9a-f]{8}$/m)
  const doctor = await box.rein(['doctor', '--quick', '--json'])
  const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; detail: string }[] }
  expect(checks).toContainEqual(expect.objectContaining({ name: 'devices', detail: 'phone (read, answer)' }))
  const gone = await box.rein(['web', 'revoke', 'nobody'])
  expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining('There is no device "nobody".')])
  expect((await box.rein(['web', 'revoke', 'phone'])).stdout).toMatch(/^phone \(dev_\w{8}\) is revoked/)
  const again = await box.rein(['web', 'revoke', 'phone'])
  expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('was revoked already')])
  expect((await box.rein(['web', 'devices', '--all'])).stdout).toContain('revoked')
})

test('when another program has the port, all devices are revoked, and rein doctor says so', async () => {
  const box = createBox()
  const first = await box.daemon()
  const { port } = endpointOf(box)
  await pairDevice(box.client(), port)
  await box.client({ start: false }).stop()
  await first.ended
  const squatter = createServer()
  onTestFinished(() => void squatter.close())
  await once(squatter.listen(port, '127.0.0.1'), 'listening')
  const second = await box.daemon()
  const lost = `Another program had port ${port}, which the page had before`
  const { stdout } = await box.rein(['doctor', '--quick'])
  expect(stdout).toContain(lost)
  expect(stdout).toContain(`clear the site data of http://127.0.0.1:${port}`)
  expect(await box.client().devices({})).toEqual([])
  // The next daemon, which has its port, has not forgotten it.
  await second.kill()
  await box.daemon()
  expect((await box.rein(['doctor', '--quick'])).stdout).toContain(lost)
  await pairDevice(box.client(), endpointOf(box).port)
  expect((await box.rein(['doctor', '--quick'])).stdout).not.toContain(lost)
})

test('where no device was paired, another program on the port loses nothing', async () => {
  const box = createBox()
  const first = await box.daemon()
  const { port } = endpointOf(box)
  await box.client({ start: false }).stop()
  await first.ended
  const squatter = createServer()
  onTestFinished(() => void squatter.close())
  await once(squatter.listen(port, '127.0.0.1'), 'listening')
  await box.daemon()
  expect(endpointOf(box).port).not.toBe(port)
  expect((await box.rein(['doctor', '--quick'])).stdout).not.toContain('Another program had port')
})

test('a port of the settings that another program has is no reason to revoke a device, or to leave the port of the page', async () => {
  const box = createBox()
  const first = await box.daemon()
  const { port } = endpointOf(box)
  const device = await pairDevice(box.client(), port)
  await box.client({ start: false }).stop()
  await first.ended
  const other = createServer()
  onTestFinished(() => void other.close())
  await once(other.listen(0, '127.0.0.1'), 'listening')
  const taken = (other.address() as AddressInfo).port
  await box.daemon({ env: { REIN_DAEMON_PORT: String(taken) } })
  expect(endpointOf(box).port).toBe(port)
  const { stdout } = await box.rein(['doctor', '--quick'])
  expect(stdout).toContain(`Port ${taken} could not be had when the daemon started`)
  expect(stdout).not.toContain('which the page had before')
  expect(await box.client().devices({})).toMatchObject([{ id: device.id }])
})
