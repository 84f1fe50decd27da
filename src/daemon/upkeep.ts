import { fork } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifest } from '../contract/manifest.ts'
import { ReinError } from '../contract/errors.ts'
import { isAtLeast } from '../drivers/version.ts'
import type { Log } from '../base/log/log.ts'
import { damagedRecords } from '../base/log/repair/store.ts'
import { isDamage } from '../base/store/failure.ts'
import type { Database } from '../base/store/sqlite.ts'
import { onBeat } from '../base/util/beat.ts'
import { version } from '../base/util/version.ts'
import type { CopyOrder, CopyWord } from './copier.ts'
import { pass } from './fault.ts'
import type { Journal } from '../contract/logs.ts'
import { markSuspect } from './open-store.ts'
import type { Settings } from '../base/config/settings.ts'
import { listCopies, putInPlace, readMarker, type StoreFiles, sizeOf } from './store-files.ts'

interface UpkeepPorts {
  log: Log
  reader: Database
  files: StoreFiles
  settings: Pick<Settings, 'log.copies' | 'log.idle_s' | 'log.retention_days'>
  journal: Pick<Journal, 'write'>
  /** Problems for people are added here. */
  damage: string[]
  now: () => number
  /** How many bytes the disk of a directory has left. */
  freeBytes: (dir: string) => number
}

export const freeBytes = (dir: string): number => {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}

const dayMs = 24 * 60 * 60 * 1000
/** Left to everybody else on the disk. */
const reserve = 256 * 1024 * 1024
/** Less than this is not worth writing for. */
const leastFreePages = 256
/** After something has failed it is left alone for so long. */
const pauseMs = 60 * 60 * 1000

/** While nothing happens, so often is looked whether something is to be done. */
const restMs = 5 * 60 * 1000

/** Maintains an idle database: prunes old records, returns disk space, makes the daily copy. */
export class Upkeep {
  readonly #ports: UpkeepPorts
  readonly #startedAt: number
  #commits = -1
  #quietSince = 0
  #prunedAt = 0
  #notBefore = 0
  /** A copy that was begun before something was forgotten does not count. */
  #forgotten = 0
  #isAtWork = false
  #stop: () => void = () => undefined
  /** Why there is no copy of today, if something keeps one from being made. */
  obstacle: string | null = null

  constructor(ports: UpkeepPorts) {
    this.#ports = ports
    this.#startedAt = ports.now()
  }

  start(): void {
    this.#stop = onBeat(1000, () => void this.beat())
  }

  stop(): void {
    this.#stop()
  }

  /** Deletes copies and damaged files, which still hold forgotten records; the next idle time makes a new copy. */
  forget(): void {
    const { files } = this.#ports
    this.#forgotten += 1
    for (const dir of [files.copies, files.damaged]) rmSync(dir, { recursive: true, force: true })
  }

  /** A second has passed. Resolves when what was to be done now is done. */
  async beat(): Promise<void> {
    const { log, now } = this.#ports
    if (this.#isAtWork || now() < this.#notBefore) return
    if (log.commits !== this.#commits) {
      this.#commits = log.commits
      this.#quietSince = now()
    }
    // Pruning works in small pieces, so it need not wait for an idle time.
    if (now() - this.#prunedAt >= dayMs) await this.#run(() => this.#prune(), 0)
    else if (this.#isQuiet() || this.#isCopyOverdue()) await this.#run(() => this.#lookAfter(), restMs)
  }

  async #run(work: () => Promise<void>, rest: number): Promise<void> {
    const { now, log } = this.#ports
    this.#isAtWork = true
    try {
      await work()
      this.#notBefore = now() + rest
    } catch (cause) {
      this.#complain(cause)
    } finally {
      // What it wrote itself is no reason to wait.
      this.#commits = log.commits
      this.#isAtWork = false
    }
  }

  #isQuiet(): boolean {
    return this.#ports.now() - this.#quietSince >= this.#ports.settings['log.idle_s'] * 1000
  }

  #complain(cause: unknown): void {
    const { journal, damage, files, now } = this.#ports
    this.#notBefore = now() + pauseMs
    journal.write('trouble', { where: 'upkeep', reason: String(cause) })
    if (!isDamage(cause)) return
    markSuspect(files)
    const told = `${(cause as Error).message.trim()} The next start looks at all of it: rein daemon stop`
    if (!damage.includes(told)) damage.push(told)
  }

  async #lookAfter(): Promise<void> {
    await this.#giveBack()
    if (this.#copyAge() >= dayMs) await this.#copy()
  }

  async #prune(): Promise<void> {
    const { log, settings, now } = this.#ports
    const before = now() - settings['log.retention_days'] * dayMs
    for (const topic of new Set(Object.values(manifest).map((kind) => kind.topic))) await log.prune(topic, before)
    this.#prunedAt = now()
    if (log.space.isIncremental) await this.#giveBack()
  }

  /** An old database is written anew once; from then on, what is free goes piece by piece. */
  async #giveBack(): Promise<void> {
    const { log, files } = this.#ports
    const { pages, free, isIncremental } = log.space
    if (!isIncremental && this.#hasRoom(2 * sizeOf(files.database))) await log.compact()
    else if (isIncremental && free >= Math.max(leastFreePages, pages / 20)) await log.giveBack()
    if (sizeOf(`${files.database}-wal`) > 0) await log.checkpoint()
  }

  #copyAge(): number {
    const { files, settings, now } = this.#ports
    if (settings['log.copies'] === 0) return 0
    const [newest] = listCopies(files)
    return newest === undefined ? Infinity : now() - newest.at
  }

  /** A daemon that is never quiet gets its copy a day later. */
  #isCopyOverdue(): boolean {
    const { now } = this.#ports
    return Math.min(this.#copyAge(), now() - this.#startedAt + dayMs) >= 2 * dayMs
  }

  async #copy(): Promise<void> {
    const { files, settings, now, log, damage } = this.#ports
    const { database, copies } = files
    this.obstacle = this.#obstacleNow()
    if (this.obstacle !== null) return
    const draft = path.join(copies, '.draft')
    const forgotten = this.#forgotten
    const isOurs = isAtLeast(version, readMarker(files)?.version ?? version)
    try {
      makeEmpty(copies, draft)
      const { faults, unreadable } = await copyInProcess({ database, draft, isOurs })
      if (faults.length > 0) throw new ReinError('storage_damaged', `The database is damaged: ${faults[0]}`)
      if (unreadable.length > 0) {
        await log.setAside(
          unreadable.map(({ seq }) => seq),
          now(),
        )
        damage.push(`Records that cannot be read are left out: ${unreadable.map(({ seq }) => seq).join(', ')}.`)
        this.obstacle = this.#obstacleNow()
      }
      if (forgotten !== this.#forgotten || this.obstacle !== null) return
      pass('before_copy')
      putInPlace(draft, path.join(copies, `${new Date(now()).toISOString().slice(0, 10)}.db`))
      for (const { file } of listCopies(files).slice(settings['log.copies'])) rmSync(file)
    } catch (cause) {
      if (forgotten === this.#forgotten) throw cause
    } finally {
      rmSync(draft, { force: true })
    }
  }

  /** The copies from before a record was damaged are what a repair needs: they stay until then. */
  #obstacleNow(): string | null {
    const { files, reader } = this.#ports
    if (damagedRecords(reader).length > 0) return 'None is made before the damaged records are repaired.'
    return this.#hasRoom(2 * sizeOf(files.database)) ? null : 'The disk is too full for another one.'
  }

  #hasRoom(bytes: number): boolean {
    const { files, freeBytes: free } = this.#ports
    return free(path.dirname(files.database)) >= bytes + reserve
  }
}

/** For this user alone from the first byte on: SQLite writes into an empty file that is there. */
const makeEmpty = (dir: string, file: string): void => {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  rmSync(file, { force: true })
  closeSync(openSync(file, 'wx', 0o600))
}

const mostComplaint = 2000

/** In a process of its own, which ends with the daemon: a thread inside SQLite would hold up its exit, and on Node 20 abort it. */
const copyInProcess = async (order: CopyOrder): Promise<Exclude<CopyWord, { error: unknown }>> => {
  const copier = fork(fileURLToPath(new URL('./copier.js', import.meta.url)), [JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let complaint = ''
  copier.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, mostComplaint)
  })
  const end = (): void => void copier.kill('SIGKILL')
  process.once('exit', end)
  try {
    const word = await new Promise<CopyWord>((resolve, reject) => {
      copier.once('message', (message) => resolve(message as CopyWord))
      copier.once('error', reject)
      copier.once('exit', (code, signal) =>
        reject(new Error(`The copier ended with ${code ?? signal}. ${complaint}`.trim())),
      )
    })
    if ('error' in word) throw ReinError.fromBody(word)
    return word
  } finally {
    process.off('exit', end)
  }
}
