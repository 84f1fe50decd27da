import { execFile } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'
import { Serial } from './serial.ts'

/** Finds the process at the other end of a connection. It starts `ss`, so it is for clients that do not identify themselves. */
export class SocketPeers {
  #next: Promise<string | null> | null = null
  readonly #lists = new Serial()
  readonly #known = new WeakMap<Socket, Promise<number[] | null>>()

  /** All processes that hold the other end; none if another user's do. Null where that is unknown. */
  of(socket: Socket): Promise<number[] | null> {
    const known = this.#known.get(socket)
    if (known !== undefined) return known
    // One list at a time: all callers in the meantime share the next one, which begins after they asked.
    this.#next ??= this.#lists.run(() => {
      this.#next = null
      // Null where there is no `ss`.
      return new Promise((resolve) => {
        const options = {
          encoding: 'utf8',
          maxBuffer: 64 * 1024 * 1024,
          timeout: 5000,
          env: { PATH: systemPath },
        } as const
        const tell = (failure: Error | null, text: string): void => resolve(failure === null ? text : null)
        try {
          execFile('ss', ['-x', '-t', '-p', '-n', '-H'], options, tell)
        } catch {
          resolve(null)
        }
      })
    })
    const finding = this.#next.then((text) => (text === null ? null : findPeers(text, socket)))
    this.#known.set(socket, finding)
    return finding
  }
}

const systemPath = '/usr/sbin:/usr/bin:/sbin:/bin'

/** Reads what `ss` lists. */
export const findPeers = (text: string, socket: Socket): number[] | null => {
  const rows = text.split('\n').map((line): Row => {
    const [head = '', users = ''] = line.split(' users:')
    const [kind, , , , ...ends] = head.trim().split(/\s+/)
    const pids = [...users.matchAll(/pid=(\d+)/g)].map(([, pid]) => Number(pid))
    // `NAME NUMBER * PEER`, where the name may contain spaces; else `ADDRESS:PORT ADDRESS:PORT`.
    return { local: ends.at(kind?.startsWith('u_') ? -3 : -2), remote: ends.at(-1), pids }
  })
  if (socket.remotePort !== undefined) {
    // Whole endpoints: the same two ports at other addresses of the loopback network are another connection.
    const peer = `${plainAddress(socket.remoteAddress)}:${socket.remotePort}`
    const own = `${plainAddress(socket.localAddress)}:${socket.localPort}`
    const held = rows.filter(({ local, remote }) => plainEndpoint(local) === peer && plainEndpoint(remote) === own)
    return held.flatMap(({ pids }) => pids)
  }
  // Node gives no other access to the file descriptor.
  const { fd } = (Reflect.get(socket, '_handle') as { fd?: number } | null) ?? {}
  const link = fd === undefined || fd < 0 ? '' : readlinkSync(`/proc/self/fd/${fd}`)
  const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? null
  const peer = rows.find(({ local }) => local === inode)?.remote
  return inode === null || peer === undefined ? null : (rows.find(({ local }) => local === peer)?.pids ?? [])
}

/** Without brackets, the interface that it is bound to, and the form of IPv4 in IPv6. */
const plainAddress = (address = ''): string =>
  address
    .replace(/%[^\]]*/, '')
    .replace(/[[\]]/g, '')
    .replace(/^::ffff:/i, '')

const plainEndpoint = (endpoint = ''): string => {
  const end = endpoint.lastIndexOf(':')
  return `${plainAddress(endpoint.slice(0, end))}${endpoint.slice(end)}`
}

interface Row {
  /** An address with its port, or the number of a local socket. */
  local: string | undefined
  remote: string | undefined
  pids: number[]
}
