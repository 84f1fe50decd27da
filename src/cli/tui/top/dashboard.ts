import { setTimeout as delay } from 'node:timers/promises'
import { v7 } from 'uuid'
import { asReinError } from '../../../contract/errors.ts'
import { personName } from '../../../contract/person.ts'
import type { AgentView } from '../../../contract/routes/agents.ts'
import type { CliContext } from '../../context.ts'
import { describeError } from '../../exit.ts'
import { readNotifyConfig } from '../../notify/notify-file.ts'
import { createStyle } from '../../output.ts'
import { turnLines } from '../../sessions/turn-text.ts'
import { paint } from '../terminal/line.ts'
import { Terminal } from '../terminal/terminal.ts'
import {
  type Command,
  emptyTop,
  nameOf,
  noticesIn,
  selectedAgent,
  shownName,
  type Top,
  withAgents,
  withLog,
  withPreview,
  withTurns,
} from './model.ts'
import { paste, press } from './press.ts'
import { view } from './view.ts'

const tickMs = 1_000
const retryMs = 1_000
/** Nobody reads a preview while the selection moves on. */
const settleMs = 120
const [logLines, previewTurns] = [200, 40]
/** What was told and is done with stays in sight so long. */
const toldKeptMs = 10 * 60_000
const plain = createStyle(false)

/** `rein top`: keys and news change the model, the model is what is on the screen. */
export class Dashboard {
  readonly #context: CliContext
  readonly #all: boolean
  readonly #terminal: Terminal
  readonly #ended = new AbortController()
  #following = new AbortController()
  #previewing = new AbortController()
  /** What the preview and the receipts on the screen are of: they are asked for again when that is another. */
  #previewOf = ''
  #toldOf = ''
  #top: Top = emptyTop

  constructor(context: CliContext, all = false) {
    this.#context = context
    this.#all = all
    this.#terminal = new Terminal({
      key: (key) => {
        const [top, command] = press(this.#top, key)
        this.#change(top)
        if (command !== null) void this.#run(command).catch((cause: unknown) => this.#notice(describeError(cause)))
      },
      paste: (text) => this.#change(paste(this.#top, text)),
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
          for await (const { agents } of this.#client().watch({ all: this.#all, detail: true }, signal)) {
            const top = withAgents(this.#top, agents)
            const news = noticesIn(this.#top, top)
            this.#change(top)
            // Rings the terminal if the person wants to be notified of what is new.
            const wanted = news.length === 0 ? [] : (readNotifyConfig(this.#context)?.events ?? [])
            if (news.some((event) => wanted.includes(event))) this.#terminal.screen.ring()
          }
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
      this.#previewing.abort()
      this.#terminal.close()
    }
  }

  #client() {
    return this.#context.connect({ start: false })
  }

  async #run(command: Command): Promise<void> {
    const client = this.#client()
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
        await this.#readTurns(command.target, logLines, signal, (lines) => withLog(this.#top, lines))
        return
      }
      case 'attach': {
        const { run } = await import('../../agents/attach.ts')
        const context = { ...this.#context, exitWith: () => undefined }
        await this.#terminal.lend(() => run(context, {}, command.target))
        this.#draw()
        return
      }
      case 'tell': {
        const { target, text } = command
        return void (await client.tell({ target, cwd, id: `dir_${v7()}`, text, from: personName }))
      }
      case 'start': {
        // On the ordinary screen: starting an agent may ask whether the directory is trusted.
        const { run } = await import('../../agents/up.ts')
        const { handle, prompt } = command
        await this.#terminal.lend(() => run(this.#context, prompt === '' ? {} : { prompt }, handle))
        const started = (await client.ps({})).find((agent) => agent.handle === handle && agent.cwd === cwd)
        return this.#change(started === undefined ? this.#top : { ...this.#top, selected: nameOf(started), scroll: 0 })
      }
      case 'listTurns': {
        const { turns } = await client.session({ target: command.target, cwd })
        return this.#change(withTurns(this.#top, command.target, turns))
      }
      case 'rewind': {
        this.#notice(`Rewinding ${shownName(this.#top, command.target)} to turn ${command.turn} …`)
        const { to } = await client.rewind({ target: command.target, cwd, turn: command.turn, stop: true })
        return this.#notice(`${shownName(this.#top, command.target)} is at turn ${to}.`)
      }
      case 'answer':
        return void (await client.answer({ ...command, cwd }))
      default:
        return void (await client[command.kind]({ target: command.target, cwd }))
    }
  }

  async #readTurns(target: string, count: number, signal: AbortSignal, take: (lines: string[]) => Top): Promise<void> {
    const wanted = { target, cwd: this.#context.cwd(), lines: count, follow: true }
    for await (const record of this.#client().logs(wanted, signal)) {
      if (signal.aborted) return
      this.#change(
        take(
          turnLines(record, this.#context.now(), { style: plain, isAgent: false }).flatMap((text) => text.split('\n')),
        ),
      )
    }
  }

  #notice(text: string): void {
    this.#change({ ...this.#top, notice: text })
  }

  #change(top: Top): void {
    this.#top = top
    this.#draw()
    const agent = selectedAgent(top)
    // An answer that comes late must not begin anything that keeps the program from ending.
    if (agent === undefined || this.#ended.signal.aborted) return
    void this.#preview(agent)
    void this.#readTold(agent)
  }

  /** The terminal of the selected agent, or its turns where it has none. */
  async #preview(agent: AgentView): Promise<void> {
    const target = nameOf(agent)
    const isScreen = agent.pid !== null && (agent.host === 'tmux' || agent.host === 'pty')
    const wanted = `${target} ${isScreen} ${agent.pid}`
    if (wanted === this.#previewOf) return
    this.#previewOf = wanted
    this.#previewing.abort()
    this.#previewing = new AbortController()
    const { signal } = this.#previewing
    try {
      await delay(settleMs, undefined, { signal })
      if (!isScreen) {
        this.#change(withPreview(this.#top, target, [], false))
        await this.#readTurns(target, previewTurns, signal, (lines) => withPreview(this.#top, target, lines, true))
        return
      }
      for await (const { text } of this.#client().screen({ target, cwd: this.#context.cwd() }, signal))
        if (!signal.aborted) this.#change(withPreview(this.#top, target, text.split('\n'), false))
    } catch {
      // The daemon went away, or the agent: the next news of the agent asks again.
      if (this.#previewOf === wanted) this.#previewOf = ''
    }
  }

  /** The counts of an inbox change with every step of a receipt. */
  async #readTold(agent: AgentView): Promise<void> {
    const target = nameOf(agent)
    const wanted = `${target} ${JSON.stringify(agent.inbox)}`
    if (wanted === this.#toldOf) return
    this.#toldOf = wanted
    try {
      const items = await this.#client().inbox({ target, cwd: this.#context.cwd(), all: true })
      const since = this.#context.now() - toldKeptMs
      const open = ['queued', 'held', 'offered', 'placed', 'seen']
      const shown = items.filter(({ at, state }) => at > since || open.includes(state)).toSorted((a, b) => b.at - a.at)
      if (this.#toldOf === wanted) this.#change({ ...this.#top, told: { target, items: shown } })
    } catch {
      if (this.#toldOf === wanted) this.#toldOf = ''
    }
  }

  #draw(): void {
    const { size, screen } = this.#terminal
    const lines = view(this.#top, size, this.#context.now())
    screen.draw(lines.map((line) => paint(line, size.columns, this.#context.out.style)))
  }
}
