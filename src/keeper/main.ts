import { unlinkSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { after } from '../util/timer.ts'
import { Keeper } from './keeper.ts'

/** Whoever started us is about to connect; if not, nobody needs us. */
const unusedMs = 10_000

const isServed = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(socket)
    probe.on('connect', () => resolve(true)).on('error', () => resolve(false))
    probe.on('connect', () => probe.destroy())
  })

const removeStale = (socket: string): void => {
  try {
    unlinkSync(socket)
  } catch {
    return
  }
}

const run = async (socket: string): Promise<void> => {
  if (await isServed(socket)) throw new Error('Another keeper is running.')
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
  const umask = process.umask(0o177)
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(socket, resolve))
  process.umask(umask)
  process.send?.('ready')
  process.disconnect?.()
}

run(process.argv[2] ?? '').catch((cause: unknown) => {
  process.send?.(String(cause))
  process.exit(1)
})
