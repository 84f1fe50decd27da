import { execFile } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'

/** Finds out who is at the other end of a connection. It starts `ss`, so it is for those who do not say it themselves. */
export class SocketPeers {
  #next: Promise<string | null> | null = null
  #current: Promise<unknown> = Promise.resolve()
  readonly #known = new WeakMap<Socket, Promise<number[] | null>>()

  /** All processes that hold the other end; none: somebody else's do. Null where it cannot be told. */
  of(socket: Socket): Promise<number[] | null> {
    const known = this.#known.get(socket) ?? this.#list().then((text) => (text === null ? null : peersIn(text, socket)))
    this.#known.set(socket, known)
    return known
  }

  /** One at a time: all who ask meanwhile share the next one, which begins after they were there. */
  #list(): Promise<string | null> {
    this.#next ??= this.#current.then(() => {
      this.#next = null
      const listed = listSockets()
      this.#current = listed
      return listed
    })
    return this.#next
  }
}

/** Null where there is no `ss`. */
const listSockets = (): Promise<string | null> =>
  new Promise((resolve) => {
    const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, timeout: 5000, env: { PATH: systemPath } } as const
    const tell = (failure: Error | null, text: string): void => resolve(failure === null ? text : null)
    try {
      execFile('ss', ['-x', '-t', '-p', '-n', '-H'], options, tell)
    } catch {
      resolve(null)
    }
  })

const systemPath = '/usr/sbin:/usr/bin:/sbin:/bin'

const peersIn = (text: string, socket: Socket): number[] | null => {
  const rows = text.split('\n').map(readRow)
  if (socket.remotePort !== undefined) {
    const [peer, own] = [`:${socket.remotePort}`, `:${socket.localPort}`]
    return rows.find(({ local, remote }) => local?.endsWith(peer) && remote?.endsWith(own))?.pids ?? []
  }
  const inode = inodeOf(socket)
  const peer = rows.find(({ local }) => local === inode)?.remote
  return inode === null || peer === undefined ? null : (rows.find(({ local }) => local === peer)?.pids ?? [])
}

interface Row {
  /** An address with its port, or the number of a local socket. */
  local: string | undefined
  remote: string | undefined
  pids: number[]
}

const readRow = (line: string): Row => {
  const [head = '', users = ''] = line.split(' users:')
  const [kind, , , , ...ends] = head.trim().split(/\s+/)
  const pids = [...users.matchAll(/pid=(\d+)/g)].map(([, pid]) => Number(pid))
  // `NAME NUMBER * PEER`, where the name may hold spaces; else `ADDRESS:PORT ADDRESS:PORT`.
  return { local: ends.at(kind?.startsWith('u_') ? -3 : -2), remote: ends.at(-1), pids }
}

const inodeOf = (socket: Socket): string | null => {
  // Node gives no other way to the number of a file.
  const { fd } = (Reflect.get(socket, '_handle') as { fd?: number } | null) ?? {}
  if (fd === undefined || fd < 0) return null
  return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? null
}
