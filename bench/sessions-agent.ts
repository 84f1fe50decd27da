import { constants, readdirSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { FileTail } from '../src/agents/conversation/file-tail.ts'
import type { Sim } from '../src/sim/server.ts'
import { parseObject } from '../src/base/util/json.ts'
import type { Box } from '../test/process/harness.ts'
import { upReal } from './real-agents.ts'

const lookMs = 50

export const promptLine = (content: string, more: object = {}): string =>
  `${JSON.stringify({ type: 'user', message: { role: 'user', content }, ...more })}\n`

/** A real headless Claude Code that Rein has started, timed from the prompt in its pipe to the result in its output. */
export class PromptedAgent {
  readonly #box: Box
  readonly #input: FileHandle
  readonly #output: FileTail
  #onResult = (): void => undefined

  static async start(box: Box, sim: Sim): Promise<PromptedAgent> {
    await upReal(box, sim, 'worker', undefined, 'stream')
    const [id = ''] = readdirSync(join(box.paths.state, 'agents'))
    const dir = join(box.paths.state, 'agents', id)
    return new PromptedAgent(box, dir, await open(join(dir, 'stdin.fifo'), constants.O_WRONLY))
  }

  constructor(box: Box, dir: string, input: FileHandle) {
    this.#box = box
    this.#input = input
    this.#output = new FileTail(join(dir, 'stream.ndjson'), (lines) => this.#read(lines))
  }

  async say(prompt: string): Promise<number> {
    const started = performance.now()
    const ended = new Promise<void>((resolve) => (this.#onResult = resolve))
    await this.#input.write(promptLine(prompt))
    await ended
    return performance.now() - started
  }

  /** Resolves when so many turns have ended, with their files in snapshots. */
  async saved(count: number): Promise<void> {
    const target = { target: 'worker', cwd: this.#box.cwd }
    for (;;) {
      const { turns } = await this.#box
        .client()
        .session(target)
        .catch(() => ({ turns: [] }))
      if (turns.filter(({ endedAt, hasFiles }) => endedAt !== null && hasFiles).length === count) return
      await delay(lookMs)
    }
  }

  async end(): Promise<void> {
    this.#output.close()
    await this.#input.close()
    await this.#box.client().down({ target: 'worker', cwd: this.#box.cwd })
  }

  #read(lines: string[]): void {
    if (lines.some((line) => parseObject(line)?.['type'] === 'result')) this.#onResult()
  }
}
