import { z } from 'zod'
import { type Adapter, createAdapter, type OutgoingMessage, PermanentError } from './sdk/adapter.ts'
import { messageOf, nothingAfter, untilDone } from './sdk/retry.ts'
import { channelNamed, readSecret, Secret } from './config.ts'
import type { AdapterKind } from './kind.ts'
import { offer } from './offer.ts'
import { type StateFile, stateFile } from './state.ts'
import { botApi, type Call, splitText, Update } from './telegram-api.ts'

const Config = z
  .strictObject({
    channel: channelNamed('telegram'),
    token: Secret,
    /** Whose messages are taken in, whatever chat they write in. With none, the log says who writes. */
    users: z.array(z.int().positive()),
    chat: z.int().optional(),
    human: z.boolean().optional(),
    api: z.url().default('https://api.telegram.org'),
  })
  // A user's own chat with the bot has the user's number.
  .transform((config) => ({
    ...config,
    chat: config.chat ?? (config.users.length === 1 ? config.users[0] : undefined),
  }))
  .refine(({ human, chat }) => human !== true || chat !== undefined, {
    path: ['chat'],
    message: 'is needed: where are questions to be sent?',
  })

interface State {
  /** The first update that was not dealt with. */
  offset: number
  /** Where one of the users wrote: answers go nowhere else. */
  chats: number[]
}

interface Parts {
  config: z.infer<typeof Config>
  call: Call
  file: StateFile<State>
  state: State
  log: (line: string) => void
}

const [pollSeconds, pollLimitMs, sendLimitMs] = [50, 60_000, 10_000]
const mostChats = 1000

class Bot {
  readonly #parts: Parts
  readonly #partsSent = new Map<string, number>()
  readonly #strangers = new Set<number>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** A message that comes again goes on after the part that was sent last. */
  readonly send = async (message: OutgoingMessage, signal: AbortSignal): Promise<void> => {
    const { config, state } = this.#parts
    // `meta` may come from anybody, so it only chooses among known chats.
    const chat = state.chats.find((known) => known === message.replyTo?.meta['chat']) ?? config.chat
    if (chat === undefined) throw new PermanentError('It answers no message from Telegram, and `chat` is not set.')
    const parts = [...splitText(message.text).entries()]
    for (const [index, text] of parts.slice(this.#partsSent.get(message.id) ?? 0)) {
      this.#partsSent.set(message.id, index)
      await this.#say(chat, text, signal)
    }
    this.#partsSent.delete(message.id)
  }

  /** The offset moves only when the daemon has the message, so that Telegram keeps it until then. */
  async read(adapter: Adapter): Promise<void> {
    const { call, file, state, log } = this.#parts
    const { signal } = adapter
    while (!signal.aborted) {
      const params = { offset: state.offset, timeout: pollSeconds, allowed_updates: ['message'] }
      const poll = (): Promise<unknown> => call('getUpdates', params, pollLimitMs, signal)
      const updates = await untilDone(poll, signal, log).catch(nothingAfter(signal))
      for (const update of z.array(Update).parse(updates)) {
        if (!(await this.#takeIn(adapter, update))) return
        state.offset = update.update_id + 1
        await file.write(state)
      }
    }
  }

  /** False if it has to be asked for again. */
  async #takeIn(adapter: Adapter, { update_id: id, message }: Update): Promise<boolean> {
    const text = message?.text ?? message?.caption
    if (message === undefined || text === undefined) return true
    const { from, chat, date, message_id: number } = message
    const { config, state, log } = this.#parts
    if (!config.users.includes(from.id)) {
      if (!this.#strangers.has(from.id)) log(`User ${from.id} is not among \`users\`: what they write is dropped.`)
      this.#strangers.add(from.id)
      return true
    }
    state.chats = [...new Set([...state.chats, chat.id])].slice(-mostChats)
    const meta = { chat: chat.id, message: number, name: from.username ?? null }
    const details = { sender: String(from.id), claimedAt: date * 1000, meta, key: `update ${id}` }
    const { state: fate, reason } = await offer(adapter, text, details)
    if (fate === 'held') await this.#tell(chat.id, `Kept, but no agent gets it yet: ${reason}`, adapter.signal)
    if (fate === 'refused') await this.#tell(chat.id, `Not taken: ${reason}`, adapter.signal)
    return fate !== 'ending'
  }

  #say(chat: number, text: string, signal: AbortSignal): Promise<unknown> {
    return this.#parts.call('sendMessage', { chat_id: chat, text }, sendLimitMs, signal)
  }

  async #tell(chat: number, text: string, signal: AbortSignal): Promise<void> {
    await this.#say(chat, text, signal).catch((cause: unknown) => this.#parts.log(messageOf(cause)))
  }
}

/** Talks to people by a Telegram bot. */
export const telegram: AdapterKind<typeof Config> = {
  config: Config,
  start: async (config, world) => {
    const { channel, users, human: isHuman, api } = config
    const { daemon, log } = world
    const call = botApi(api.replace(/\/$/, ''), await readSecret('token', config.token, world))
    // Checked before anything is sent: with a wrong token every message would be given up.
    const never = new AbortController().signal
    await untilDone(() => call('getMe', {}, sendLimitMs, never), never, log)
    const file = stateFile<State>(world.state, 'telegram', channel)
    const state = { offset: 0, chats: [], ...(await file.read()) }
    const bot = new Bot({ config, call, file, state, log })
    const adapter = await createAdapter({ channel, isHuman, senders: users.map(String), send: bot.send, log }, daemon)
    adapter.run(() => bot.read(adapter))
    return adapter
  },
}
