import { closeSync, writeSync } from 'node:fs'
import { homedir } from 'node:os'
import { loadConfig } from '../base/config/load.ts'
import { ReinError } from '../contract/errors.ts'
import { storageError } from '../base/store/failure.ts'
import { onBeat } from '../base/util/beat.ts'
import { type ReinPaths, reinPaths } from '../base/util/paths.ts'
import { prepareDirectories, startDaemon } from './daemon.ts'
import { type DaemonLock, takeLock } from '../base/store/lock.ts'
import { isAnotherAlive, lockUnlessServed } from './daemon-lock.ts'
import type { Settings } from '../base/config/settings.ts'

const foreground = process.argv.includes('--foreground')
const reportFd = 3
const lockCheckMs = 2000

/** The line that the process which started this daemon waits for. */
const report = (line: string): void => {
  if (foreground) return void process.stderr.write(`${line}\n`)
  try {
    writeSync(reportFd, `${line}\n`)
    closeSync(reportFd)
  } catch {
    return
  }
}

const run = async (): Promise<void> => {
  const paths = reinPaths({
    env: process.env,
    homedir: homedir(),
    platform: process.platform,
    uid: process.getuid?.() ?? -1,
  })
  prepareDirectories(paths)
  const taken = await lockUnlessServed(paths)
  if (taken === null) return standBack()
  let lock = taken
  const { config } = await loadConfig({ paths, env: process.env })
  const settings = Object.fromEntries(
    Object.entries(config).map(([key, { value }]) => [key, value]),
  ) as unknown as Settings
  const daemon = await startDaemon(paths, settings, foreground, (isAsked) => {
    lock.release()
    process.exit(isAsked ? 0 : 1)
  })
  const replaced = (): void => void daemon.stop('another daemon has taken the lock', false)
  onBeat(lockCheckMs, () => (lock = keepLock(lock, paths, replaced)))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void daemon.stop(signal))
  process.on('SIGHUP', () => undefined)
  process.on('uncaughtException', (cause) => void daemon.stop(`failed: ${cause.stack ?? cause.message}`, false))
  report('ready')
}

/** Another daemon serves already: fine for a client that started this one, an error for a person who runs it. */
const standBack = (): never => {
  report(foreground ? 'error A daemon is running already. Stop it: rein daemon stop' : 'ready')
  process.exit(foreground ? new ReinError('refused', '').exitCode : 0)
}

/** Takes the lock again if it was removed; ends this daemon only if another one holds it and serves. */
const keepLock = (lock: DaemonLock, paths: ReinPaths, onReplaced: () => void): DaemonLock => {
  if (lock.isInPlace()) return lock
  try {
    const next = takeLock(paths.lock)
    if (next === null && isAnotherAlive(paths)) onReplaced()
    if (next !== null) lock.release()
    return next ?? lock
  } catch {
    return lock
  }
}

run().catch((cause: unknown) => {
  const { message, hint } = storageError(cause)
  report(foreground ? ['error', message, hint].filter(Boolean).join(' ') : `error ${JSON.stringify({ message, hint })}`)
  process.exit(1)
})
