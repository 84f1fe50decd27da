import { EventEmitter, once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { streamHost } from '../agents/hosts/stream.ts'
import { writePrivateFiles } from '../agents/private-files.ts'
import { LaunchRequest } from '../contract/agent.ts'
import type { HostEvent } from '../contract/host.ts'
import type { Driver, LaunchContext } from '../drivers/contract.ts'

/** A CLI may take seconds to start; one that has said nothing by then will not. */
const limitMs = 30_000
const endMs = 3000

export interface Song {
  fired: boolean
  detail: string
}

/**
 * Proves that hooks really fire: some CLIs skip them without a word. The CLI is started as an agent would be, and ended
 * at its first hook call, before its model has anything to answer.
 */
export class Canaries {
  readonly #waiting = new Map<string, (native: string) => void>()

  /** Whether a hook call came from a canary; then it gets no answer. */
  hears(agent: string | null, native: string): boolean {
    const sung = this.#waiting.get(agent ?? '')
    sung?.(native)
    return sung !== undefined
  }

  async sing(driver: Driver, agent: string, directory: string, context: LaunchContext): Promise<Song> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const root = await mkdtemp(join(directory, 'canary-'))
    try {
      return await this.#run(driver, agent, root, { ...context, private: join(root, 'home') })
    } catch (cause) {
      return { fired: false, detail: (cause as Error).message }
    } finally {
      this.#waiting.delete(agent)
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    }
  }

  async #run(driver: Driver, agent: string, root: string, context: LaunchContext): Promise<Song> {
    const request = LaunchRequest.parse({ cwd: root, prompt: 'This is a test of hooks by Rein.' })
    const plan = driver.launch(request, context)
    writePrivateFiles(plan.files)
    const song = this.#listen(agent)
    const starting = streamHost(driver.stream).start(join(root, 'agent'), plan, (event) => song.onEvent(event))
    const found = await Promise.race([song.over, starting.then(() => song.over)])
    // One that still says hello is ended when it has done so, or when its time is up.
    const ended = starting.then((started) => started.stop(0)).catch(() => undefined)
    await Promise.race([ended, pause(endMs, undefined, { ref: false })])
    return found
  }

  #listen(agent: string): { over: Promise<Song>; onEvent: (event: HostEvent) => void } {
    const events = new EventEmitter()
    const end = (song: Song): void => void events.emit('over', song)
    const timer = setTimeout(() => end({ fired: false, detail: `no hook was called in ${limitMs / 1000} s` }), limitMs)
    const over = once(events, 'over').then(([song]) => {
      clearTimeout(timer)
      return song as Song
    })
    this.#waiting.set(agent, (native) => end({ fired: true, detail: `${native} was called` }))
    const onEvent = (event: HostEvent): void => {
      if (event.kind === 'exit') end({ fired: false, detail: `it ended before: ${event.evidence.detail ?? ''}` })
    }
    return { over, onEvent }
  }
}
