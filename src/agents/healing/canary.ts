import { EventEmitter, once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { streamHost } from '../hosts/stream.ts'
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

/**
 * Proves that hooks really fire: some CLIs skip them without a word. The CLI is started as an agent would be, and ended
 * at its first hook call, before its model has anything to answer.
 */
export class Canaries {
  readonly #waiting = new Map<string, (native: string) => void>()

  /** Whether a hook call came from a canary, by its agent or its handle; then it gets no answer. */
  hears(caller: string | null, native: string): boolean {
    const sung = this.#waiting.get(caller ?? '')
    sung?.(native)
    return sung !== undefined
  }

  /** With the hooks that an agent gets which Rein starts. */
  sing(driver: Driver, agent: string, directory: string, context: LaunchContext): Promise<Song> {
    return this.#sing(driver, agent, directory, (root) => {
      const request = LaunchRequest.parse({ cwd: root, prompt: 'This is a test of hooks by Rein.' })
      return driver.launch(request, { ...context, private: join(root, 'home') })
    })
  }

  /** With the hooks that stand in files of the user's: `plan` starts it where they are, as its user would. */
  singByHand(driver: Driver, handle: string, directory: string, plan: LaunchPlan): Promise<Song> {
    return this.#sing(driver, handle, directory, () => plan)
  }

  async #sing(driver: Driver, id: string, directory: string, planIn: (root: string) => LaunchPlan): Promise<Song> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const root = await mkdtemp(join(directory, 'canary-'))
    try {
      return await this.#run(driver, id, root, planIn(root))
    } catch (cause) {
      return { fired: false, detail: (cause as Error).message }
    } finally {
      this.#waiting.delete(id)
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    }
  }

  async #run(driver: Driver, id: string, root: string, plan: LaunchPlan): Promise<Song> {
    writePrivateFiles(plan.files)
    const song = this.#listen(id)
    const starting = streamHost(driver.stream).start(join(root, 'agent'), plan, (event) => song.onEvent(event))
    if (plan.firstPrompt === null) void starting.then(song.onStarted, () => undefined)
    const found = await Promise.race([song.over, starting.then(() => song.over)])
    // One that still says hello is ended when it has done so, or when its time is up.
    const ended = starting.then((started) => started.stop(0)).catch(() => undefined)
    await Promise.race([ended, pause(endMs, undefined, { ref: false })])
    return found
  }

  #listen(id: string): { over: Promise<Song>; onEvent: (event: HostEvent) => void; onStarted: () => Promise<void> } {
    const events = new EventEmitter()
    const end = (song: Song): void => void events.emit('over', song)
    const timer = setTimeout(() => end({ fired: false, detail: `no hook was called in ${limitMs / 1000} s` }), limitMs)
    const over = once(events, 'over').then(([song]) => {
      clearTimeout(timer)
      return song as Song
    })
    this.#waiting.set(id, (native) => end({ fired: true, detail: `${native} was called` }))
    const onEvent = (event: HostEvent): void => {
      if (event.kind === 'exit') end({ fired: false, detail: `it ended before: ${event.evidence.detail ?? ''}` })
    }
    const onStarted = async (): Promise<void> => {
      await pause(silentMs, undefined, { ref: false })
      end({ fired: false, detail: 'it started, and called none' })
    }
    return { over, onEvent, onStarted }
  }
}
