import { connectDaemon } from './connect.ts'
import { untilDone } from './retry.ts'
import { Session } from './session.ts'

/** What an agent says on the channel. */
export interface OutgoingMessage {
  id: string
  channel: string
  text: string
  /** The agent that says it; null for a person or Rein itself. */
  from: { id: string; project: string; handle: string } | null
  /** Milliseconds since 1970. */
  at: number
  /** The message that it answers, with the `meta` that came with it. */
  replyTo: { id: string; sender: string | null; meta: Record<string, unknown> } | null
}

/** What there is to say about a message that comes in. */
export interface MessageDetails {
  /** Who wrote it, as far as the adapter has made sure of it. */
  sender?: string
  /** When it was written, by its own account. */
  claimedAt?: number
  /** Comes back in `replyTo` of the answer. */
  meta?: Record<string, unknown>
  /** A message that comes again with the same key is the same message. */
  key?: string
}

/** The message is on disk: on its way to an agent, or held until there is one. */
export interface AcceptedMessage {
  id: string
  state: 'routed' | 'answered' | 'held'
  /** Why it is held. */
  reason: string | null
}

/** What an adapter needs of Rein. */
export interface Daemon {
  createChannel(channel: { name: string; isHuman?: boolean; isKept?: boolean; senders?: string[] }): Promise<unknown>
  receive(channel: string, message: MessageDetails & { text: string }): Promise<AcceptedMessage>
  take(
    channel: string,
    options: { limit: number; leaseMs: number; waitMs: number },
    signal?: AbortSignal,
  ): Promise<OutgoingMessage[]>
  settle(channel: string, result: { id: string; error?: string; retryInMs?: number | null }): Promise<unknown>
}

export interface AdapterOptions {
  /** Made if there is none yet. */
  channel: string
  /** A person is at the other end: gets the questions of its agents, and may answer them. */
  isHuman?: boolean
  /** Who may write, by what `receive` gives as `sender`. */
  senders?: string[]
  /** Hands on what an agent says. What it throws makes the message come again later, or never: PermanentError. */
  send?: (message: OutgoingMessage, signal: AbortSignal) => Promise<void>
  /** How long `send` may take before it counts as failed. */
  sendLimitMs?: number
  /** Where a line about trouble goes; standard error by default. */
  log?: (line: string) => void
}

export interface Adapter {
  readonly channel: string
  /** Aborted when the adapter begins to end. */
  readonly signal: AbortSignal
  /** Resolves when all that was under way is done; rejects with what made it impossible to go on. */
  readonly closed: Promise<void>
  /** Resolves when the message is on disk, however often the daemon is away meanwhile; rejects if it is refused, or `signal` says so. */
  receive(text: string, details?: MessageDetails & { signal?: AbortSignal }): Promise<AcceptedMessage>
  /** Work that goes on until the adapter ends: `closed` waits for it, and fails if it does. */
  run(work: (signal: AbortSignal) => Promise<void>): void
  shutdown(): Promise<void>
}

/** Thrown by `send`: trying again would not help. */
export class PermanentError extends Error {
  readonly retryInMs = null
}

/** Thrown by `send`: not before so long. */
export class RetryError extends Error {
  readonly retryInMs: number

  constructor(message: string, retryInMs: number) {
    super(message)
    this.retryInMs = retryInMs
  }
}

/** Joins a channel: `receive` brings messages in, `send` is given what agents say. Ends by `shutdown()`, SIGTERM or SIGINT. */
export const createAdapter = async (
  options: AdapterOptions,
  daemon: Daemon = connectDaemon(process.env),
): Promise<Adapter> => {
  const { channel: name, isHuman, senders, send, log = (line) => void process.stderr.write(`${line}\n`) } = options
  const channel = { name, isHuman, senders, isKept: send === undefined ? undefined : true }
  await untilDone(() => daemon.createChannel(channel), new AbortController().signal, log)
  return new Session({ ...options, log }, daemon)
}
