import { once, setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { anAgent } from '../../test/support/builders.ts'
import { createKey, enter, Tab } from '../../test/support/page-client.ts'
import type { Device } from '../contract/device.ts'
import { maxUnknown, socketPath } from '../contract/socket-terms.ts'
import type { Origin } from './origin.ts'
import type { PageParts } from './page-connection.ts'
import { PageSockets } from './page-sockets.ts'

const loadReally = () => import('ws')

/** A port that hands each upgrade to the sockets of the page, with one device that is paired. */
const startPage = async (load: ConstructorParameters<typeof PageSockets>[1] = loadReally) => {
  const troubles: string[] = []
  const { key, privateKey } = createKey()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const devices = new Map<string, Device>()
  const device: Device = {
    id: 'dev_1',
    name: 'phone',
    scopes: ['read'],
    key,
    origin: `http://127.0.0.1:${port}`,
    pairedAt: 0,
    revokedAt: null,
    lastSeenAt: null,
  }
  devices.set(device.id, device)
  const told: { origin: () => Promise<Origin> } = { origin: async () => ({ kind: 'person' }) }
  const connected: Device[] = []
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  const parts = {
    daemon: {
      base: {
        now: () => 0,
        journal: { write: () => undefined },
        troubleIn: () => (cause: unknown) => troubles.push(String(cause)),
      },
      features: {
        agents: { supervisor: { get: () => anAgent() } },
        apis: {
          web: {
            findDevice: (id: string) => devices.get(id) ?? null,
            connectDevice: (one: Device) => {
              connected.push(one)
              return () => undefined
            },
          },
        },
      },
      origins: { of: () => told.origin() },
    },
    id: 'daemon',
    handlers: {},
    ending: ending.signal,
    checksAnswers: false,
  } as unknown as PageParts
  const pages = new PageSockets(parts, load)
  const served: Socket[] = []
  const proven: Socket[] = []
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    served.push(socket)
    void pages.accept(request, socket, head, () => proven.push(socket))
  })
  onTestFinished(() => {
    for (const socket of served) socket.destroy()
    server.close()
  })
  return { port, pages, devices, device, privateKey, told, connected, troubles, served, proven }
}

const askUpgrade = async (port: number, more: string[] = []): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  const lines = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', ...more]
  socket.write(`GET ${socketPath} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`)
  return text(socket)
}

test('while the package cannot be loaded each connection is refused, the log says so once, and later it is tried again', async () => {
  let isGone = true
  const { port, troubles } = await startPage(async () => {
    if (isGone) throw new Error('Cannot find module ws-1234.js')
    return loadReally()
  })
  for (let times = 0; times < 3; times += 1)
    expect(await askUpgrade(port)).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\ncontent-security-policy: /)
  expect(troubles).toEqual(['Error: Cannot find module ws-1234.js'])
  isGone = false
  const tab = new Tab(port)
  expect(await tab.challenge()).toMatch(/^[\w-]{43}$/)
  tab.ws.terminate()
})

test('a handshake that is wrong is answered with the headers of every answer', async () => {
  const { port } = await startPage()
  const answer = await askUpgrade(port, ['Sec-WebSocket-Version: 7', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='])
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-security-policy: /)
})

test('of many that come in one moment no more stay than may wait', async () => {
  let load = (): void => undefined
  const loading = new Promise<void>((resolve) => (load = resolve))
  const { port, served } = await startPage(() => loading.then(loadReally))
  const tabs = Array.from({ length: maxUnknown + 20 }, () => new Tab(port))
  while (served.length < tabs.length) await new Promise((resolve) => setImmediate(resolve))
  load()
  await Promise.all(tabs.slice(20).map((tab) => Promise.race([tab.challenge(), tab.closed])))
  await Promise.all(
    served.filter(({ destroyed }) => destroyed).map(async (socket) => socket.closed || once(socket, 'close')),
  )
  expect(served.map(({ destroyed }) => destroyed)).toEqual([
    ...Array<boolean>(20).fill(true),
    ...Array<boolean>(maxUnknown).fill(false),
  ])
})

describe('a device that has signed', () => {
  /** The answer to where the connection comes from waits until the test gives it. */
  const startSlow = async () => {
    const page = await startPage()
    let answer = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      page.told.origin = () => {
        resolve()
        return new Promise((tell) => (answer = () => tell({ kind: 'person' })))
      }
    })
    const entering = enter({ port: page.port, id: page.device.id, privateKey: page.privateKey })
    await asked
    return { ...page, entering, answer: () => answer() }
  }

  test('is pushed out by no other client while it is looked at', async () => {
    const { port, served, proven, entering, answer } = await startSlow()
    expect(proven).toEqual(served)
    const others = Array.from({ length: maxUnknown + 5 }, () => new Tab(port))
    await Promise.all(others.map((tab) => Promise.race([tab.challenge(), tab.closed])))
    answer()
    expect((await entering).frames.at(-1)).toMatchObject({ welcome: {} })
  })

  test('and was paired at another address meanwhile is refused', async () => {
    const { devices, device, connected, entering, answer } = await startSlow()
    devices.set(device.id, { ...device, origin: 'https://box.example' })
    answer()
    expect((await entering).frames.at(-1)).toMatchObject({ refused: { code: 'forbidden' } })
    expect(connected).toEqual([])
  })

  test('and was given other rights meanwhile has these', async () => {
    const { devices, device, connected, entering, answer } = await startSlow()
    devices.set(device.id, { ...device, scopes: ['read', 'tell'] })
    answer()
    expect((await entering).frames.at(-1)).toMatchObject({ welcome: { device: { scopes: ['read', 'tell'] } } })
    expect(connected).toMatchObject([{ scopes: ['read', 'tell'] }])
  })
})
