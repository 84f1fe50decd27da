import { setTimeout as delay } from 'node:timers/promises'
import { v7 } from 'uuid'
import type { Client } from '../../../client/client.ts'
import { ReinError } from '../../../contract/errors.ts'
import type { CliContext } from '../../context.ts'
import { describeError } from '../../exit.ts'
import { paint } from '../terminal/line.ts'
import { Terminal } from '../terminal/terminal.ts'
import { type Command, press } from './keys.ts'
import { type Chat, choose, emptyChat, isAwaited, withChange, withMembers, withOlder, withPaste } from './model.ts'
import { afterSending } from './sending.ts'
import { Seen } from './seen.ts'
import { paneOf, view } from './view.ts'

const retryMs = 1_000
const olderPosts = 200
/** How often it is looked who has read what the person said, while somebody has not. */
const readersMs = 3_000

/** `rein chat`: keys and news change the model, the model is what is on the screen, and what was on it is read. */
export class ChatView {
  readonly #context: CliContext
  readonly #terminal: Terminal
  readonly #ended = new AbortController()
  #following = new AbortController()
  readonly #seen = new Seen()
  readonly #confirmed = new Map<string, number>()
  #isConfirming = false
  #chat: Chat

  constructor(context: CliContext, room?: string) {
    this.#context = context
    this.#chat = emptyChat(
      [context.env['REIN_HANDLE'] ?? 'user', context.env['USER']].filter((name) => name !== undefined),
      room,
    )
    this.#terminal = new Terminal({
      key: (key) => {
        const [chat, command] = press(this.#chat, key, this.#terminal.size)
        this.#change(chat)
        if (command !== null) void this.#run(command).catch((cause: unknown) => this.#tell(cause))
      },
      paste: (text) => this.#change(withPaste(this.#chat, text)),
      resize: () => this.#draw(),
      end: () => this.#ended.abort(),
    })
  }

  async run(): Promise<void> {
    // Errors of the first request appear on the ordinary screen.
    const { connect, cwd } = this.#context
    const wanted = this.#chat.chosen
    const rooms = await connect().rooms({ cwd: cwd() })
    if (wanted !== null && !rooms.some(({ name }) => name === wanted))
      throw new ReinError(
        'unknown_room',
        `There is no room ${wanted} in this project.`,
        `Make it: rein chat create ${wanted}`,
      )
    this.#terminal.open()
    void this.#followStates()
    const reading = setInterval(() => isAwaited(this.#chat) && void this.#readMembers(), readersMs)
    try {
      // Every failure is shown and tried again: a daemon that went away may come back.
      const { signal } = this.#ended
      while (!signal.aborted) {
        try {
          await this.#followRoom(this.#chat.chosen)
        } catch (cause) {
          this.#change({ ...this.#chat, trouble: describeError(cause) })
        }
        if (this.#following.signal.aborted) continue
        await delay(retryMs, undefined, { signal }).catch(() => undefined)
      }
    } finally {
      clearInterval(reading)
      this.#terminal.close()
    }
  }

  /** The members of the chosen room again whenever an agent changes its state. */
  async #followStates(): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      try {
        for await (const _ of this.#client.watch({}, signal)) await this.#readMembers()
      } catch {
        // Following the rooms fails as well then, and says why.
      }
      await delay(retryMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #readMembers(): Promise<void> {
    const room = this.#chat.chosen
    if (room === null) return
    const members = await this.#client.members({ cwd: this.#context.cwd(), room }).catch(() => null)
    if (members !== null) this.#change(withMembers(this.#chat, room, members))
  }

  get #client(): Client {
    return this.#context.connect({ start: false })
  }

  /** Until another room is chosen. */
  async #followRoom(room: string | null): Promise<void> {
    this.#following = new AbortController()
    const signal = AbortSignal.any([this.#ended.signal, this.#following.signal])
    const changes = this.#client.followRooms({ cwd: this.#context.cwd(), room: room ?? undefined }, signal)
    for await (const change of changes) {
      if (signal.aborted) return
      this.#change(withChange(this.#chat, change))
      void this.#readMembers()
    }
  }

  async #run(command: Command): Promise<void> {
    const cwd = this.#context.cwd()
    switch (command.kind) {
      case 'quit':
        return this.#ended.abort()
      case 'send': {
        const { room, text } = command
        const message = { room, text, id: command.id ?? `post_${v7()}` }
        const change = await afterSending(message, this.#client.post({ cwd, ...message }))
        return this.#change(change(this.#chat))
      }
      case 'create': {
        const { name } = await this.#client.createRoom({ cwd, room: command.room, about: command.about })
        return this.#change(choose(this.#chat, name))
      }
      case 'older': {
        const where = { cwd, room: command.room, before: command.before, last: olderPosts }
        const { posts } = await this.#client.posts(where).catch((cause: unknown) => {
          this.#tell(cause)
          return { posts: [] }
        })
        this.#change(withOlder(this.#chat, command.room, posts))
        return
      }
    }
  }

  /** Marks posts as read up to the last one with nothing unseen before it; repeats for what came meanwhile. */
  async #confirm(): Promise<void> {
    const room = this.#chat.chosen ?? ''
    const upTo = this.#seen.upTo(this.#chat)
    if (this.#isConfirming || upTo <= (this.#confirmed.get(room) ?? 0)) return
    this.#isConfirming = true
    try {
      await this.#client.moveCursor({ cwd: this.#context.cwd(), room, upTo })
      this.#confirmed.set(room, upTo)
    } finally {
      this.#isConfirming = false
    }
    return this.#confirm()
  }

  #tell(cause: unknown): void {
    this.#change({ ...this.#chat, notice: describeError(cause) })
  }

  #change(chat: Chat): void {
    const isOther = chat.chosen !== this.#chat.chosen
    this.#chat = chat
    if (isOther) this.#following.abort()
    this.#draw()
  }

  #draw(): void {
    const { size, screen } = this.#terminal
    const { lines, caret } = view(this.#chat, size)
    screen.draw(
      lines.map((line) => paint(line, size.columns, this.#context.out.style)),
      caret,
    )
    if (this.#chat.helpPage === null) this.#seen.note(this.#chat, paneOf(size))
    // Whatever hinders it hinders the following, too, which says so.
    void this.#confirm().catch(() => undefined)
  }
}
