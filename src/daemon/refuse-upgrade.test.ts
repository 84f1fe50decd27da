import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { refuseUpgrade } from './refuse-upgrade.ts'

test('the connection ends with the answer, also when the client keeps its own end open', async () => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  const [socket] = (await once(server, 'connection')) as [Socket]
  const isClosed = once(socket, 'close')
  refuseUpgrade(socket, 403)
  const answer = await text(client)
  expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
  expect(answer).toContain('\r\ncontent-security-policy: ')
  await isClosed
})
