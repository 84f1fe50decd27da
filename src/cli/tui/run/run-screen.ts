import type { CliContext } from '../../context.ts'
import { describeError } from '../../exit.ts'
import { withText } from '../terminal/input.ts'
import { paint } from '../terminal/line.ts'
import { Terminal } from '../terminal/terminal.ts'
import { withEvent } from './events.ts'
import { readHistory, remember } from './history.ts'
import { type Command, press } from './keys.ts'
import { locate } from './locate.ts'
import {
  due,
  emptyRun,
  isMoving,
  type Run,
  withAskedLines,
  withLinesOf,
  withMove,
  withNote,
  withPaste,
  withSent,
  withUnanswered,
  withUnsent,
} from './model.ts'
import type { Moved, RunPorts, ScreenOptions } from './ports.ts'
import { isAnswerable } from './question.ts'
import { view } from './view.ts'

/** Changes within one frame are drawn together. */
const frameMs = 16
const tickMs = 100

type World = Pick<CliContext, 'out' | 'now'>

/** Shows a run until it is over or the person leaves it. */
export const openScreen = async (world: World, options: ScreenOptions, ports: RunPorts): Promise<void> =>
  new RunScreen(world, options, ports, await readHistory(options.historyFile)).show()

/** `rein run` on a terminal: keys and events change the model, the model is what is on the screen. */
class RunScreen {
  readonly #world: World
  readonly #options: ScreenOptions
  readonly #ports: RunPorts
  readonly #terminal: Terminal
  readonly #ended = new AbortController()
  #run: Run
  #drawing: NodeJS.Timeout | undefined
  #drawnAt = 0

  constructor(world: World, options: ScreenOptions, ports: RunPorts, history: readonly string[]) {
    this.#world = world
    this.#options = options
    this.#ports = ports
    this.#run = { ...emptyRun(options.title, options.isVerbose, history), queue: options.prompts }
    this.#terminal = new Terminal({
      key: (key) => {
        const before = this.#run.input.history
        const [run, command] = press(this.#run, key, this.#terminal.size, this.#world.now())
        this.#change(run)
        const last = run.input.history.at(-1)
        if (run.input.history !== before && last !== undefined)
          // Without the file, the history lasts until the end of this run.
          void remember(this.#options.historyFile, last).catch(() => undefined)
        if (command !== null) void this.#do(command)
      },
      paste: (text) => {
        const { asked } = this.#run
        const isAnswering = asked !== null && isAnswerable(asked, this.#world.now())
        this.#change(withPaste(this.#run, text, isAnswering))
      },
      resize: () => this.#draw(),
      end: () => this.#ended.abort(),
    })
  }

  async show(): Promise<void> {
    this.#terminal.open()
    const ticking = setInterval(() => {
      if (isMoving(this.#run)) this.#draw()
    }, tickMs)
    this.#draw()
    try {
      for await (const event of this.#ports.events(this.#ended.signal)) {
        if (this.#ended.signal.aborted) return
        this.#change(withEvent(this.#run, event, this.#world.now()))
        if (event.kind === 'tool') void this.#locateTool(event.id, event.input)
        if (event.kind === 'state' && event.question !== null)
          void this.#locateAsked(event.question.id, event.question.input)
      }
    } catch (cause) {
      if (!this.#ended.signal.aborted) throw cause
    } finally {
      clearInterval(ticking)
      clearTimeout(this.#drawing)
      this.#terminal.close()
    }
  }

  async #locateTool(id: string, input: Record<string, unknown>): Promise<void> {
    const n = this.#run.tools.get(id)
    const lines = await locate(input, this.#options.cwd)
    if (n !== undefined && lines.length > 0) this.#change(withLinesOf(this.#run, n, lines))
  }

  async #locateAsked(id: string, input: Record<string, unknown>): Promise<void> {
    const lines = await locate(input, this.#options.cwd)
    if (lines.length > 0) this.#change(withAskedLines(this.#run, id, lines))
  }

  async #do(command: Command): Promise<void> {
    switch (command.kind) {
      case 'exit':
        return this.#ended.abort()
      case 'interrupt':
        return this.#ports.interrupt().catch((cause: unknown) => {
          this.#change({ ...this.#run, notice: describeError(cause) })
        })
      case 'answer':
        return this.#ports
          .answer(command.asked.question, command.answer)
          .catch((cause: unknown) => this.#change(withUnanswered(this.#run, command.asked, describeError(cause))))
      default: {
        // The result becomes part of the conversation; prompts wait until the command is done.
        this.#change({ ...this.#run, doing: `/${command.kind}` })
        const run = await this.#ask(command).then(
          (answer) =>
            typeof answer === 'string'
              ? withNote(this.#run, answer)
              : withNote(withMove(this.#run, answer.from, answer.to), answer.text),
          (cause: unknown) => withNote(this.#run, describeError(cause), true),
        )
        const isChoosing = command.kind === 'chooseTurn' && run.input.text === ''
        this.#change({ ...run, doing: null, ...(isChoosing ? { input: withText(run.input, '/rewind ') } : {}) })
        return
      }
    }
  }

  #ask(command: Exclude<Command, { kind: 'exit' | 'interrupt' | 'answer' }>): Promise<string | Moved> {
    switch (command.kind) {
      case 'rewind':
        return this.#ports.rewind(command.turn)
      case 'chooseTurn':
        return this.#ports.turns()
      case 'fork':
        return this.#ports.fork(command.turn)
      case 'model':
        return this.#ports.setModel(command.name)
      default:
        return this.#ports[command.kind]()
    }
  }

  #change(run: Run): void {
    const [next, prompt] = due(run)
    this.#run = next
    if (prompt !== null)
      void this.#ports
        .prompt(prompt)
        .catch((cause: unknown) => this.#change(withUnsent(this.#run, prompt, `Not sent: ${describeError(cause)}`)))
    this.#drawing ??= setTimeout(() => this.#draw(), Math.max(0, this.#drawnAt + frameMs - performance.now()))
  }

  #draw(): void {
    clearTimeout(this.#drawing)
    this.#drawing = undefined
    this.#drawnAt = performance.now()
    const { size, screen } = this.#terminal
    const now = this.#world.now()
    const { lines, caret } = view(this.#run, size, now)
    screen.draw(
      lines.map((line) => paint(line, size.columns, this.#world.out.style)),
      caret,
    )
    if (this.#run.asked === null || this.#run.asked.sentAt !== null) return
    screen.ask()
    this.#run = withSent(this.#run, now)
  }
}
