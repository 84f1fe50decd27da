import { batch, signal } from '@preact/signals'
import { type ErrorBody, ReinError } from '../../contract/errors.ts'
import type { RouteName } from '../../contract/routes/all.ts'
import type { WelcomeDevice } from '../../contract/routes/web.ts'
import type { AnswerFrame, ClientOut, HelloOut, ServerFrame } from '../../contract/socket.ts'
import { firstCredit } from '../../contract/socket-terms.ts'

/** `keyless`: this browser does not give its key; it is asked again. */
export type ConnectionState = 'connecting' | 'open' | 'offline' | 'refused' | 'unpaired' | 'keyless'

export interface SocketLike {
  send(text: string): void
  close(): void
}

export interface SocketListener {
  onMessage: (text: string) => void
  onClose: () => void
}

export interface Identity {
  device: string
  sign(challenge: string): Promise<string>
}

/** The world outside: sockets, the key, the clock. */
export interface LinkPorts {
  open(listener: SocketListener): SocketLike
  /** Null: this browser is not paired. */
  identify(): Promise<Identity | null>
  after(ms: number, act: () => void): () => void
  /** Between 0 and 1. */
  random(): number
}

interface CallKind {
  name: RouteName
  input: object
  limitMs: number
  /** A repeated one changes nothing: it is asked again when the connection broke under it. */
  isRepeatable: boolean
}

interface StreamKind {
  name: RouteName
  input: object
  onLine: (line: unknown) => void
  /** Called when the daemon ended it. Without this, the stream is one that never ends: it is opened again. */
  onEnd?: (error: ReinError | null) => void
  /** The input after a break. */
  resume?: () => object
  /** It is asked for, at first and again: what was told since its last line may be missing. */
  onOpen?: () => void
}

interface PendingCall extends CallKind {
  resolve(result: unknown): void
  reject(error: ReinError): void
  cancelLimit(): void
  wasSent: boolean
}

interface OpenStream extends StreamKind {
  taken: number
  /** How often it was ended since its last line. */
  endings: number
}

const firstDelayMs = 250
const longestDelayMs = 10_000
const greetingLimitMs = 15_000
const probeLimitMs = 4_000
/** How long something that changes things waits for a connection: later it would surprise. */
const actPatienceMs = 5_000
/** What the daemon has ended is opened again after so long, and after longer each time that no line came. */
const reopenMs = 1_000
/** Granted again after so many lines: the daemon need not wait for it. */
const creditLines = firstCredit / 2

const toError = (error: ErrorBody['error']): ReinError => ReinError.fromBody({ error })

const lost = (name: string): ReinError =>
  new ReinError(
    'unavailable',
    `The connection broke while "${name}" was under way: it is not known whether it happened.`,
    'Look before you try again.',
  )

/** One socket to the daemon, for everything: it comes back by itself, and what was open on it continues. */
export class Link {
  readonly state = signal<ConnectionState>('connecting')
  readonly me = signal<WelcomeDevice | null>(null)
  /** Why it is `refused` or `keyless`. */
  readonly refusal = signal<ReinError | null>(null)
  /** How far the clock of the daemon is ahead of this one. */
  readonly skewMs = signal(0)
  /** Which daemon answers: another build may have another page. */
  readonly daemon = signal<{ id: string; version: string; build: string } | null>(null)

  readonly #ports: LinkPorts
  readonly #now: () => number
  #socket: SocketLike | null = null
  #isWelcome = false
  #lastId = 0
  #failures = 0
  #cancelWaiting: () => void = () => {}
  readonly #calls = new Map<number, PendingCall>()
  readonly #streams = new Map<number, OpenStream>()

  constructor(ports: LinkPorts, now: () => number) {
    this.#ports = ports
    this.#now = now
  }

  /** Connects; also again after a pairing or a refusal. */
  start(): void {
    this.#drop()
    this.#failures = 0
    this.#connect()
  }

  /** The network may be back, or the page was asleep: what is open is tried, what waits is done now. */
  check(): void {
    if (this.state.value === 'offline' || this.state.value === 'keyless') this.start()
    if (!this.#isWelcome) return
    const probe = this.#socket
    const cancel = this.#ports.after(probeLimitMs, () => {
      if (this.#socket === probe) this.#onBreak()
    })
    this.call({ name: 'status', input: {}, limitMs: 2 * probeLimitMs, isRepeatable: true }).then(cancel, cancel)
  }

  call(kind: CallKind): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const limitMs = this.#isWelcome || kind.isRepeatable ? kind.limitMs : actPatienceMs
      const cancelLimit = this.#ports.after(limitMs, () => this.#giveUp(id))
      this.#calls.set(id, { ...kind, resolve, reject, cancelLimit, wasSent: false })
      if (this.#isWelcome) this.#sendCall(id)
    })
  }

  openStream(kind: StreamKind): () => void {
    const id = ++this.#lastId
    this.#streams.set(id, { ...kind, taken: 0, endings: 0 })
    if (this.#isWelcome) this.#sendOpen(id)
    return () => {
      if (this.#streams.delete(id) && this.#isWelcome) this.#send({ id, close: true })
    }
  }

  #connect(): void {
    this.#cancelWaiting()
    if (this.state.value !== 'offline' && this.state.value !== 'keyless') this.state.value = 'connecting'
    const admit = (identity: Identity | null): void => {
      this.refusal.value = null
      if (identity === null) this.state.value = 'unpaired'
      else this.#openSocket(identity)
    }
    this.#ports.identify().then(admit, (cause: unknown) => this.#onKeyless(cause))
  }

  #openSocket(identity: Identity): void {
    if (this.#socket !== null) return
    const socket = this.#ports.open({
      onClose: () => {
        if (this.#socket === socket) this.#onBreak()
      },
      onMessage: (text) => {
        if (this.#socket === socket) this.#onFrame(JSON.parse(text) as ServerFrame, identity, socket)
      },
    })
    this.#socket = socket
    this.#cancelWaiting = this.#ports.after(greetingLimitMs, () => {
      if (this.#socket === socket) this.#onBreak()
    })
  }

  #onFrame(frame: ServerFrame, identity: Identity, socket: SocketLike): void {
    if ('id' in frame) return this.#onAnswer(frame)
    if ('challenge' in frame) {
      this.daemon.value = frame.daemon
      identity.sign(frame.challenge).then(
        (signature) => {
          if (this.#socket === socket) this.#send({ hello: { device: identity.device, signature } })
        },
        (cause: unknown) => {
          if (this.#socket === socket) this.#onKeyless(cause)
        },
      )
    } else if ('welcome' in frame) this.#onWelcome(frame.welcome)
    else this.#onRefused(toError(frame.refused))
  }

  #onWelcome({ device, now }: { device: WelcomeDevice; now: number }): void {
    this.#cancelWaiting()
    this.#failures = 0
    for (const id of this.#streams.keys()) this.#sendOpen(id)
    for (const id of this.#calls.keys()) this.#sendCall(id)
    // At last: what is asked for from here on goes out at once, as do those who wait for these.
    this.#isWelcome = true
    batch(() => {
      this.me.value = device
      this.refusal.value = null
      this.skewMs.value = now - this.#now()
      this.state.value = 'open'
    })
  }

  #onRefused(error: ReinError): void {
    this.#drop()
    this.refusal.value = error
    this.me.value = null
    this.state.value = 'refused'
    for (const [id, { name, wasSent }] of this.#calls) this.#settle(id)?.reject(wasSent ? lost(name) : error)
  }

  #onAnswer(frame: AnswerFrame): void {
    const stream = this.#streams.get(frame.id)
    if (stream !== undefined) this.#onStreamFrame(frame, stream)
    else if ('result' in frame) this.#settle(frame.id)?.resolve(frame.result)
    else if ('error' in frame) this.#settle(frame.id)?.reject(toError(frame.error))
  }

  #onStreamFrame(frame: AnswerFrame, stream: OpenStream): void {
    if ('line' in frame) {
      stream.endings = 0
      stream.taken += 1
      if (stream.taken % creditLines === 0) this.#send({ id: frame.id, credit: creditLines })
      stream.onLine(frame.line)
    } else if (stream.onEnd !== undefined) {
      this.#streams.delete(frame.id)
      stream.onEnd('error' in frame ? toError(frame.error) : null)
    } else {
      const socket = this.#socket
      const delayMs = Math.min(longestDelayMs, reopenMs * 2 ** stream.endings)
      stream.endings += 1
      this.#ports.after(delayMs, () => {
        if (this.#socket === socket) this.#sendOpen(frame.id)
      })
    }
  }

  #sendOpen(id: number): void {
    const stream = this.#streams.get(id)
    if (stream === undefined) return
    const { name, input, taken, resume, onOpen } = stream
    onOpen?.()
    this.#send({ id, open: name, input: taken > 0 && resume !== undefined ? resume() : input })
  }

  #sendCall(id: number): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    call.wasSent = true
    this.#send({ id, call: call.name, input: call.input })
  }

  #send(frame: ClientOut | HelloOut): void {
    this.#socket?.send(JSON.stringify(frame))
  }

  #giveUp(id: number): void {
    const call = this.#settle(id)
    if (call === undefined) return
    const { name, wasSent, isRepeatable } = call
    if (!wasSent) call.reject(new ReinError('unavailable', `"${name}" was not sent: there is no connection.`))
    else if (isRepeatable) call.reject(new ReinError('not_in_time', `The daemon did not answer "${name}" in time.`))
    else call.reject(lost(name))
  }

  /** Takes the call out of those that wait. */
  #settle(id: number): PendingCall | undefined {
    const call = this.#calls.get(id)
    call?.cancelLimit()
    this.#calls.delete(id)
    return call
  }

  #onBreak(): void {
    this.#drop()
    this.state.value = 'offline'
    this.#connectLater()
  }

  /** IndexedDB may be full, blocked or broken: that is no trouble of the network. */
  #onKeyless(cause: unknown): void {
    this.#drop()
    this.refusal.value = new ReinError(
      'failed',
      `This browser cannot read its key: ${cause instanceof Error ? cause.message : String(cause)}`,
      'It is tried again by itself. A private window, blocked site data or a full disk may be the reason.',
    )
    this.state.value = 'keyless'
    this.#connectLater()
  }

  #connectLater(): void {
    const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** this.#failures)
    this.#failures += 1
    this.#cancelWaiting = this.#ports.after(delayMs * (0.5 + this.#ports.random() / 2), () => this.#connect())
  }

  /** Whatever comes next, what was sent over this socket has no answer any more: an act must not go out a second time. */
  #drop(): void {
    this.#cancelWaiting()
    const socket = this.#socket
    this.#socket = null
    this.#isWelcome = false
    socket?.close()
    for (const [id, { name, wasSent, isRepeatable }] of this.#calls)
      if (wasSent && !isRepeatable) this.#settle(id)?.reject(lost(name))
  }
}
