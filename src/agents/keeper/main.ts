import { existsSync, unlinkSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { takeLock } from '../../base/store/lock.ts'
import { after } from '../../base/util/timer.ts'
import { Keeper } from './keeper.ts'

/** The starter is about to connect; if it does not, the keeper is not needed. */
const unusedMs = 10_000
const [lockLimitMs, lockEveryMs] = [10_000, 50]

const removeStale = (socket: string): void => {
  try {
    unlinkSync(socket)
  } catch {
    return
  }
}

/** Whether it is ours to serve this socket: not if another keeper does. One that is about to end is waited for. */
const isOurs = async (socket: string): Promise<boolean> => {
  for (let waited = 0; waited < lockLimitMs; waited += lockEveryMs) {
    const lock = takeLock(`${socket}.lock`)
    if (lock !== null) {
      process.on('exit', () => lock.release())
      // One of a version without a lock may be there.
      return !(await new Promise((resolve) => {
        const probe = connect(socket)
        probe.on('connect', () => resolve(true)).on('connect', () => probe.destroy())
        probe.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ENOENT' && code !== 'ECONNREFUSED'))
      }))
    }
    if (existsSync(socket)) return false
    await pause(lockEveryMs)
  }
  throw new Error('Another keeper has the lock and does not serve.')
}

const serve = async (socket: string): Promise<void> => {
  removeStale(socket)
  const server = createServer((client) => keeper.accept(client))
  const keeper = new Keeper(() => server.close(() => process.exit(0)))
  const unused = after(unusedMs, () => process.exit(0))
  server.once('connection', unused)
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      keeper.hangUpAll()
      removeStale(socket)
      process.exit(0)
    })
  process.on('SIGHUP', () => undefined)
  // Whatever one terminal or client brings about: all the others stay.
  process.on('uncaughtException', () => undefined)
  const umask = process.umask(0o177)
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(socket, resolve))
  process.umask(umask)
}

/** `ready` says that a keeper is there, whichever it is. */
const run = async (socket: string): Promise<void> => {
  if (await isOurs(socket)) await serve(socket)
  process.send?.('ready')
  process.disconnect?.()
}

run(process.argv[2] ?? '').catch((cause: unknown) => {
  process.send?.(String(cause))
  process.exit(1)
})
