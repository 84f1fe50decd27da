import { EventEmitter, once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createLifeline } from '../hosts/lifeline.ts'
import { streamHost } from '../hosts/stream.ts'
import { endLeftovers } from '../launch/leftovers.ts'
import { writePrivateFiles } from '../launch/private-files.ts'
import { LaunchRequest } from '../../contract/agent.ts'
import type { HostEvent, LaunchPlan } from '../../contract/host.ts'
import type { Driver, LaunchContext } from '../../drivers/contract.ts'

/** A CLI may take seconds to start; one that has said nothing by then will not. */
const limitMs = 30_000
/** One that has started without a word of its hooks may still be about to call the first. */
const silentMs = 5000
const endMs = 3000

interface Song {
  fired: boolean
  detail: string
}

/** What is heard of a canary. */
interface Listening {
  over: Promise<Song>
  onEvent: (event: HostEvent) => void
  onStarted: () => Promise<void>
  forget: () => void
}

/**
 * Proves that hooks really fire: some CLIs skip them without a word. The CLI is started as an agent would be, and ended
 * at its first hook call, before its model has anything to answer. None outlives the daemon, or the wish of whoever
 * asked for it (`signal`).
 */
export class Canaries {
  /** Each has a directory of its own in this one. */
  readonly directory: string
  readonly #waiting = new Map<string, (native: string) => void>()

  constructor(directory: string) {
    this.directory = directory
  }

  /** Whether a hook call came from a canary, by its agent or its handle; then it gets no answer. */
  hears(caller: string | null, native: string): boolean {
    const sung = this.#waiting.get(caller ?? '')
    sung?.(native)
    return sung !== undefined
  }

  /** Removes what a daemon that was killed has left. */
  async clear(): Promise<void> {
    for (const name of await readdir(this.directory).catch(() => [])) {
      const [id = name] = name.split('.')
      if (this.#waiting.has(id)) continue
      await endLeftovers(id)
      await rm(join(this.directory, name), { recursive: true, force: true })
    }
  }

  /** With the hooks that an agent gets which Rein starts. */
  sing(driver: Driver, agent: string, context: LaunchContext, signal: AbortSignal): Promise<Song> {
    return this.#sing(driver, agent, signal, (root) => {
      const request = LaunchRequest.parse({ cwd: root, prompt: 'This is a test of hooks by Rein.' })
      return driver.launch(request, { ...context, private: join(root, 'home') })
    })
  }

  /** With the hooks that stand in files of the user's: `plan` starts it where they are, as its user would. */
  singByHand(driver: Driver, handle: string, plan: LaunchPlan, signal: AbortSignal): Promise<Song> {
    return this.#sing(driver, handle, signal, () => plan)
  }

  async #sing(driver: Driver, id: string, signal: AbortSignal, planIn: (root: string) => LaunchPlan): Promise<Song> {
    const song = this.#listen(id, signal)
    let root: string | null = null
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 })
      root = await mkdtemp(join(this.directory, `${id}.`))
      return await this.#run(driver, root, planIn(root), song)
    } catch (cause) {
      return { fired: false, detail: (cause as Error).message }
    } finally {
      await endLeftovers(id)
      song.forget()
      if (root !== null) await rm(root, { recursive: true, force: true, maxRetries: 5 })
    }
  }

  async #run(driver: Driver, root: string, plan: LaunchPlan, song: Listening): Promise<Song> {
    writePrivateFiles(plan.files)
    const lifeline = await createLifeline(join(root, 'lifeline'))
    const host = streamHost(driver.stream, undefined, lifeline)
    const starting = host.start(join(root, 'agent'), plan, song.onEvent)
    try {
      if (plan.firstPrompt === null) void starting.then(song.onStarted, () => undefined)
      return await Promise.race([song.over, starting.then(() => song.over)])
    } finally {
      lifeline.cut()
      const ended = starting.then((started) => started.stop(0)).catch(() => undefined)
      await Promise.race([ended, pause(endMs, undefined, { ref: false })])
    }
  }

  #listen(id: string, signal: AbortSignal): Listening {
    const events = new EventEmitter()
    const end = (song: Song): void => void events.emit('over', song)
    const interrupt = (): void => end({ fired: false, detail: 'it was interrupted' })
    const timer = setTimeout(() => end({ fired: false, detail: `no hook was called in ${limitMs / 1000} s` }), limitMs)
    const over = once(events, 'over').then(([song]) => song as Song)
    this.#waiting.set(id, (native) => end({ fired: true, detail: `${native} was called` }))
    signal.addEventListener('abort', interrupt)
    if (signal.aborted) interrupt()
    const onEvent = (event: HostEvent): void => {
      if (event.kind === 'exit') end({ fired: false, detail: `it ended before: ${event.evidence.detail ?? ''}` })
    }
    const onStarted = async (): Promise<void> => {
      await pause(silentMs, undefined, { ref: false })
      end({ fired: false, detail: 'it started, and called none' })
    }
    const forget = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', interrupt)
      this.#waiting.delete(id)
    }
    return { over, onEvent, onStarted, forget }
  }
}
