import { setTimeout as delay } from 'node:timers/promises'
import { asReinError } from '../../../contract/errors.ts'
import type { CliContext } from '../../context.ts'
import { describeError } from '../../exit.ts'
import { createStyle } from '../../output.ts'
import { turnLines } from '../../sessions/turn-text.ts'
import { paint } from '../terminal/line.ts'
import { type Command, emptyTop, press, type Top, withAgents, withLog } from './model.ts'
import { Terminal } from '../terminal/terminal.ts'
import { view } from './view.ts'

const tickMs = 1_000
const retryMs = 1_000
const logLines = 200
const plain = createStyle(false)

/** `rein top`: keys and news change the model, the model is what is on the screen. */
export class Dashboard {
  readonly #context: CliContext
  readonly #all: boolean
  readonly #terminal: Terminal
  readonly #ended = new AbortController()
  #following = new AbortController()
  #top: Top = emptyTop

  constructor(context: CliContext, all = false) {
    this.#context = context
    this.#all = all
    this.#terminal = new Terminal({
      key: (key) => this.#press(key),
      resize: () => this.#draw(),
      end: () => this.#ended.abort(),
    })
  }

  async run(): Promise<void> {
    // Errors of the first request appear on the ordinary screen.
    await this.#context.connect().hello()
    this.#terminal.open()
    const ticking = setInterval(() => this.#draw(), tickMs)
    try {
      // A daemon that went away may come back; this view does not start one.
      const { signal } = this.#ended
      while (!signal.aborted) {
        try {
          const client = this.#context.connect({ start: false })
          for await (const { agents } of client.watch({ all: this.#all, detail: true }, signal))
            this.#change(withAgents(this.#top, agents))
        } catch (cause) {
          const error = asReinError(cause)
          if (error.code !== 'unavailable') throw error
          this.#change({ ...this.#top, trouble: error.message })
        }
        await delay(retryMs, undefined, { signal }).catch(() => undefined)
      }
    } finally {
      clearInterval(ticking)
      this.#following.abort()
      this.#terminal.close()
    }
  }

  #press(key: string): void {
    const [top, command] = press(this.#top, key)
    this.#change(top)
    if (command !== null)
      void this.#run(command).catch((cause: unknown) => this.#change({ ...this.#top, notice: describeError(cause) }))
  }

  async #run(command: Command): Promise<void> {
    const client = this.#context.connect({ start: false })
    const cwd = this.#context.cwd()
    switch (command.kind) {
      case 'quit':
        return this.#ended.abort()
      case 'unfollow':
        return this.#following.abort()
      case 'follow': {
        this.#following.abort()
        this.#following = new AbortController()
        const { signal } = this.#following
        const wanted = { target: command.target, cwd, lines: logLines, follow: true }
        for await (const record of client.logs(wanted, signal)) {
          if (signal.aborted) return
          const lines = turnLines(record, this.#context.now(), plain).flatMap((text) => text.split('\n'))
          this.#change(withLog(this.#top, lines))
        }
        return
      }
      case 'attach': {
        const { run } = await import('../../agents/attach.ts')
        const context = { ...this.#context, exitWith: () => undefined }
        await this.#terminal.lend(() => run(context, {}, command.target))
        this.#draw()
        return
      }
      case 'answer':
        return void (await client.answer({ ...command, cwd }))
      default:
        return void (await client[command.kind]({ target: command.target, cwd }))
    }
  }

  #change(top: Top): void {
    this.#top = top
    this.#draw()
  }

  #draw(): void {
    const { size, screen } = this.#terminal
    const lines = view(this.#top, size, this.#context.now())
    screen.draw(lines.map((line) => paint(line, size.columns, this.#context.out.style)))
  }
}
