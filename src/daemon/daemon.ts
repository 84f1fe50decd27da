import { setMaxListeners } from 'node:events'
import { lstatSync, mkdirSync } from 'node:fs'
import { Server as HttpServer } from 'node:http'
import type { Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { broadcastServer } from '../features/channels/broadcast/socket.ts'
import { v4 as uuid } from 'uuid'
import { ReinError } from '../contract/errors.ts'
import { writeFileAtomic } from '../base/util/atomic-write.ts'
import { onBeat } from '../base/util/beat.ts'
import { logFileOf, type ReinPaths } from '../base/util/paths.ts'
import { ensurePrivateDir } from '../base/util/private-dir.ts'
import { processStartTime } from '../base/util/process.ts'
import { version } from '../base/util/version.ts'
import { outsideWaiters, writeShim } from '../agents/launch/agent-env.ts'
import { readSpool } from '../agents/hook-spool.ts'
import { createApp } from './app.ts'
import { handlersOf } from './handlers.ts'
import { PageSockets } from './page-sockets.ts'
import type { DaemonParts } from './status.ts'
import { loadEndpoint, saveEndpoint } from './endpoint.ts'
import { JournalFile } from './journal.ts'
import { lineReaders } from './line-readers.ts'
import { markClosed, openStore } from './open-store.ts'
import { findStarter, Origins } from './origin.ts'
import { isStill, listenAt, servePort, serveSocket } from './servers.ts'
import type { Base } from '../base/base.ts'
import { createBase } from '../base/create-base.ts'
import type { Agent } from '../contract/agent.ts'
import type { Log } from '../base/log/log.ts'
import { composeFeatures, type Features } from './features.ts'
import type { Settings } from '../base/config/settings.ts'
import { type StoreFiles, storeFiles } from './store-files.ts'
import { freeBytes, Upkeep } from './upkeep.ts'

interface Daemon {
  /** A service manager starts one again that ends without being asked to. */
  stop(reason: string, isAsked?: boolean): Promise<void>
}

/** How often hook calls are read that were spooled because this daemon was slow. */
const spoolCheckMs = 30_000
const socketCheckMs = 2_000
/** For requests that were under way when the end came. */
const drainMs = 2_000
/** For tests: every answer has to be what its card says. */
const checksAnswers = process.env['REIN_CHECK_ANSWERS'] === '1'
/** Work that has not ended by then ends with this process. */
const shutDownMs = 4_000

/** Brings everything up, in the order that keeps the promises: log, evidence, agents, and only then the doors. */
export const startDaemon = async (
  paths: ReinPaths,
  settings: Settings,
  foreground: boolean,
  onStopped: (isAsked: boolean) => void,
): Promise<Daemon> => {
  const journal = openJournal(paths, settings, foreground)
  const endpoint = loadEndpoint(paths.endpoint)
  const kept = endpoint.port
  const wanted = settings['daemon.port'] === 0 ? [kept] : [settings['daemon.port'], kept]
  const files = storeFiles(paths)
  const { log, reader, worker, damage } = await openStore(files)
  for (const reason of damage) journal.write('trouble', { where: 'database', reason })
  const upkeep = new Upkeep({ log, reader, files, settings, journal, damage, now: Date.now, freeBytes })
  const base = createBase({
    log,
    reader,
    forgetCopies: () => upkeep.forget(),
    journal,
    paths,
    settings,
    endpoint,
    lines: lineReaders(journal),
  })
  const features = composeFeatures(base)
  const { agents, apis } = features
  await refuseStarter(agents.supervisor.agents, log, files)
  const id = uuid()
  const servers: NetServer[] = []
  const ending = new AbortController()
  // Every request that is under way listens.
  setMaxListeners(0, ending.signal)
  let stopping: Promise<void> | null = null

  const stop = (reason: string, isAsked = true): Promise<void> => {
    ending.abort()
    stopping ??= shutDown({ base, features, upkeep, journal, servers }, reason).finally(() => onStopped(isAsked))
    return stopping
  }
  worker.once('exit', () => void stop('the writer has ended', false))

  await writeShim(paths, join(import.meta.dirname, '../bin/rein.cjs'))
  await features.open()
  readSpool({ ...base, ...agents })
  await agents.supervisor.adoptAll()
  const origins = new Origins(() => agents.supervisor.agents)
  const daemon: DaemonParts = { base, features, origins, upkeep, damage, since: base.now(), portRefusal: null }
  const handlers = handlersOf(daemon, () => void stop('asked to'))
  const pageDir = join(import.meta.dirname, 'web')
  const app = createApp({ daemon, id, ending: ending.signal, handlers, pageDir, checksAnswers })
  const pages = new PageSockets({ daemon, id, ending: ending.signal, handlers, checksAnswers })
  const onRefused = async (refused: number, { code, message }: NodeJS.ErrnoException): Promise<void> => {
    journal.write('trouble', { where: 'port', reason: message })
    if (refused !== kept || code !== 'EADDRINUSE') return void (daemon.portRefusal = { port: refused, reason: message })
    // Where no browser has a key for that address, nothing is lost with it.
    if (apis.web.devices.every(({ revokedAt }) => revokedAt !== null)) return
    endpoint.lost = { port: kept, at: base.now() }
    // Whoever has that port shows a page there, or behind a tunnel to it, that can use the keys of all browsers.
    await apis.web.revokeDevices()
  }
  const { server, port } = await servePort(app, {
    wanted,
    hosts: apis.web.hosts,
    onUpgrade: (...upgrade) => void pages.accept(...upgrade),
    onRefused,
  })
  endpoint.port = port
  await saveEndpoint(paths.endpoint, endpoint)
  await register(paths, { id, port, log: logFileOf(paths, settings['log.file']) })
  servers.push(server, await serveSocket(app, paths.socket))
  const output = await listenAt(broadcastServer(apis.channels.broadcast), paths.output)
  servers.push(output)
  watchSocket(paths.socket, () => void stop('the socket is gone', false))
  onBeat(spoolCheckMs, () => readSpool({ ...base, ...agents }))
  readSpool({ ...base, ...agents })
  features.start()
  upkeep.start()
  journal.write('daemon', { what: `ready: version ${version}, pid ${process.pid}` })
  return { stop }
}

/** Agents leave the daemon as it is, also a dead one; whichever program of Rein's they start it with, the log knows them. */
const refuseStarter = async (agents: readonly Agent[], log: Log, files: StoreFiles): Promise<void> => {
  const starter = findStarter(agents)
  if (starter === null) return
  markClosed(files)
  await log.close()
  throw new ReinError('forbidden', `The agent ${starter.handle} may not start a daemon.`, 'A person can start it.')
}

const openJournal = (paths: ReinPaths, settings: Settings, foreground: boolean): JournalFile =>
  new JournalFile({
    path: logFileOf(paths, settings['log.file']),
    level: settings['log.level'],
    maxBytes: settings['log.max_bytes'],
    maxFiles: settings['log.max_files'],
    foreground,
  })

/** Directories of ours alone; the rest is made inside them. */
export const prepareDirectories = (paths: ReinPaths): void => {
  for (const dir of [paths.state, paths.runtime]) ensurePrivateDir(dir)
  for (const dir of [paths.spool, paths.plugins, outsideWaiters(paths)])
    mkdirSync(dir, { recursive: true, mode: 0o700 })
}

const register = (paths: ReinPaths, known: { id: string; port: number; log: string }): Promise<void> => {
  const startTime = processStartTime(process.pid)
  const registration = { ...known, version, pid: process.pid, startTime, socket: paths.socket, since: Date.now() }
  return writeFileAtomic(paths.registration, `${JSON.stringify(registration)}\n`)
}

/** A cleaner of temporary files may delete the socket: then no client reaches this daemon, and the next command starts another. */
const watchSocket = (path: string, onGone: () => void): void => {
  const { ino } = lstatSync(path)
  onBeat(socketCheckMs, () => {
    if (!isStill(path, ino)) onGone()
  })
}

interface Running {
  base: Base
  features: Features
  upkeep: Upkeep
  journal: JournalFile
  servers: readonly NetServer[]
}

/** Agents run on; what was accepted is on disk; what comes now is refused. */
const shutDown = async ({ base, features, upkeep, journal, servers }: Running, reason: string): Promise<void> => {
  journal.write('daemon', { what: `stopping: ${reason}` })
  upkeep.stop()
  const closed = Promise.all([features.stop(), ...servers.map(closeServer)])
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, shutDownMs))])
  markClosed(storeFiles(base.paths))
  await base.log.close().catch(() => undefined)
  journal.close()
}

const closeServer = (server: NetServer): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    setTimeout(() => server instanceof HttpServer && server.closeAllConnections(), drainMs).unref()
  })
