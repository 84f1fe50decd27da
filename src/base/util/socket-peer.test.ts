import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { findPeers } from './socket-peer.ts'

const row = (local: string, remote: string, pid: number): string =>
  `tcp   ESTAB 0      0      ${local}   ${remote} users:(("node",pid=${pid},fd=20))`
const socketOf = (remoteAddress: string, localAddress = '127.0.0.1'): Socket =>
  ({ remoteAddress, remotePort: 5000, localAddress, localPort: 7000 }) as Socket
const peers = (rows: string[], socket: Socket): number[] | null => findPeers(rows.join('\n'), socket)

test('the same two ports at other addresses are not the other end', () => {
  const rows = [row('127.0.0.1:5000', '127.0.0.3:7000', 11), row('127.0.0.2:5000', '127.0.0.1:7000', 22)]
  expect(peers(rows, socketOf('127.0.0.2'))).toEqual([22])
  expect(peers(rows.slice(0, 1), socketOf('127.0.0.2'))).toEqual([])
})

test('all that hold the other end are found', () => {
  const rows = [row('127.0.0.1:5000', '127.0.0.1:7000', 11), row('127.0.0.1:5000', '127.0.0.1:7000', 22)]
  expect(peers(rows, socketOf('127.0.0.1'))).toEqual([11, 22])
})

test.each([
  ['[::ffff:127.0.0.1]:5000', '[::ffff:127.0.0.1]:7000', '127.0.0.1', '127.0.0.1'],
  ['127.0.0.1:5000', '127.0.0.1:7000', '::ffff:127.0.0.1', '::ffff:127.0.0.1'],
  ['127.0.0.1%lo:5000', '127.0.0.1:7000', '127.0.0.1', '127.0.0.1'],
  ['[::1]%lo:5000', '[::1]:7000', '::1', '::1'],
])('the form of an address does not matter: %s', (local, remote, remoteAddress, localAddress) => {
  expect(peers([row(local, remote, 11)], socketOf(remoteAddress, localAddress))).toEqual([11])
})
