import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Device } from '../contract/device.ts'
import { asReinError, ReinError } from '../contract/errors.ts'
import { type RouteName, routes } from '../contract/routes/all.ts'
import type { Asked, Card } from '../contract/routes/route.ts'
import { ClientFrame, HelloFrame } from '../contract/socket.ts'
import { closeCodes, maxPages, signedText } from '../contract/socket-terms.ts'
import { parseObject } from '../base/util/json.ts'
import { build, version } from '../base/util/version.ts'
import { actThrough, checkOrigin } from '../features/web/devices.ts'
import { hasSigned } from '../features/web/keys.ts'
import { checkDeviceMay, checkDeviceReads, refuseAgents } from './actor.ts'
import { fitterOf, hasLines, readInput } from './answers.ts'
import type { AllHandlers } from './handlers.ts'
import { Liveness } from './liveness.ts'
import { Outlet } from './outlet.ts'
import { PageStreams } from './page-streams.ts'
import type { DaemonParts } from './status.ts'

export interface PageParts {
  daemon: Pick<DaemonParts, 'base' | 'features' | 'origins'>
  /** The registration's id. */
  id: string
  handlers: AllHandlers
  /** Aborted when the daemon begins to end. */
  ending: AbortSignal
  checksAnswers: boolean
}

interface Peer {
  /** The page that connects, as its browser says. */
  origin: string
  socket: Socket
  /** A device has signed on it. */
  onProven: () => void
}

const helloMs = 10_000
/** A refusal gets so long to arrive. */
const partingMs = 1_000

/** One tab: a challenge, its answer, and then calls and streams until it leaves. */
export class PageConnection {
  readonly #ws: WebSocket
  readonly #peer: Peer
  readonly #parts: PageParts
  readonly #challenge = randomBytes(32).toString('base64url')
  readonly #outlet: Outlet
  readonly #streams: PageStreams
  readonly #liveness: Liveness
  /** Null until it is let in. */
  #device: string | null = null
  #isGreeted = false
  #isParting = false

  constructor(ws: WebSocket, peer: Peer, parts: PageParts) {
    this.#ws = ws
    this.#peer = peer
    this.#parts = parts
    this.#outlet = new Outlet(ws, () => ws.resume())
    this.#streams = new PageStreams(this.#outlet, parts.ending)
    this.#liveness = new Liveness(ws, peer.socket)
  }

  open(): void {
    const patience = setTimeout(() => this.#part(closeCodes.refused), helloMs)
    const end = (): void => this.#part(closeCodes.ending)
    // It closes by itself then.
    this.#ws.on('error', () => undefined)
    this.#ws.on('message', (data, isBinary) => this.#hear(isBinary ? '' : (data as Buffer).toString(), patience))
    this.#ws.once('close', () => {
      clearTimeout(patience)
      this.#parts.ending.removeEventListener('abort', end)
      this.#liveness.stop()
      this.#outlet.close()
      this.#streams.closeAll()
    })
    this.#parts.ending.addEventListener('abort', end, { once: true })
    void this.#outlet.send({ challenge: this.#challenge, daemon: { id: this.#parts.id, version, build } })
  }

  #hear(text: string, patience: NodeJS.Timeout): void {
    if (this.#isParting) return
    this.#liveness.heard()
    const given = parseObject(text)
    if (this.#device !== null) return this.#obey(this.#device, given)
    const hello = HelloFrame.safeParse(given)
    // One try for each challenge.
    if (this.#isGreeted || !hello.success) return this.#part(badFrame)
    this.#isGreeted = true
    this.#greet(hello.data.hello)
      .then(() => clearTimeout(patience))
      .catch((cause: unknown) => this.#refuse(asReinError(cause)))
  }

  async #greet({ device: id, signature }: HelloFrame['hello']): Promise<void> {
    const { base, features, origins } = this.#parts.daemon
    const { key } = this.#findDevice(id)
    if (!hasSigned(key, signedText(this.#peer.origin, this.#challenge), signature))
      throw new ReinError('forbidden', 'The signature is not that of this device, this page and this challenge.')
    // Before anything that takes time: until then others push it out.
    this.#peer.onProven()
    await refuseAgents(this.#peer.socket, { supervisor: features.agents.supervisor, origins })
    if (this.#isParting || this.#ws.readyState !== this.#ws.OPEN) return
    // It may have been revoked meanwhile, or paired at another address or with other rights.
    const device = this.#findDevice(id)
    const disconnect = features.apis.web.connectDevice(device, (why) =>
      why === 'paired' ? this.#part(closeCodes.ending) : this.#refuse(refusals[why]),
    )
    this.#ws.once('close', disconnect)
    base.journal.write('device', { device: id, name: device.name, what: 'connected' })
    this.#device = id
    const { name, scopes } = device
    void this.#outlet.send({ welcome: { device: { id, name, scopes }, now: base.now(), version } })
  }

  #findDevice(id: string): Device {
    const device = this.#parts.daemon.features.apis.web.findDevice(id)
    if (device === null)
      throw new ReinError('unknown_device', 'This browser is not paired, or was revoked.', 'Pair it: rein web')
    checkOrigin(device, this.#peer.origin)
    return device
  }

  #obey(id: string, given: Record<string, unknown> | null): void {
    const frame = ClientFrame.safeParse(given)
    if (!frame.success) return this.#part(badFrame)
    // What a tab asks while it does not read would wait here.
    if (!this.#outlet.hasRoom) this.#ws.pause()
    const device = this.#parts.daemon.features.apis.web.findDevice(id)
    if (device === null) return this.#refuse(refusals.revoked)
    const { data } = frame
    if ('credit' in data) return this.#streams.grant(data.id, data.credit)
    if ('close' in data) return this.#streams.close(data.id)
    if ('call' in data) {
      const call = async (signal: AbortSignal): Promise<unknown> => {
        const { card, ask } = this.#find(data.call, device, false)
        return fitterOf(card, this.#parts.checksAnswers)(await ask(data.input, signal))
      }
      return void this.#streams.call(data.id, call, isSlow(data.call))
    }
    const { checksAnswers } = this.#parts
    const find = (): Found => this.#find(data.open, device, true)
    void this.#streams.follow(data.id, async function* (signal) {
      const { card, ask } = find()
      const fit = fitterOf(card, checksAnswers)
      for await (const line of ask(data.input, signal) as AsyncGenerator) yield fit(line)
    })
  }

  /** The same handlers as those of requests, and their input is read by the same cards. */
  #find(name: string, device: Device, wantsLines: boolean): Found {
    const handlers: Partial<Record<string, unknown>> = this.#parts.handlers
    if (!Object.hasOwn(routes, name)) throw new ReinError('not_found', `There is no route ${JSON.stringify(name)}.`)
    const card: Card = routes[name as RouteName]
    checkDeviceMay(device.scopes, name as RouteName)
    const handle = handlers[name] as ((asked: Asked<Card>) => unknown) | undefined
    if (handle === undefined) throw new ReinError('forbidden', `No device may do this (${name}).`)
    if (hasLines(card) !== wantsLines)
      throw new ReinError('usage', `${name} is ${wantsLines ? 'a call, not a stream' : 'a stream: open it'}.`)
    const actor = actThrough(device)
    return {
      card,
      ask: (given, signal) => {
        const asked = splitInput(card, given)
        checkDeviceReads(device.scopes, topicsOf(asked))
        // Not all that is done leaves a record: this is the trace of the rest, and of what failed.
        if (card.method === 'POST' && card.scope !== 'read')
          this.#parts.daemon.base.journal.write('act', { device: device.id, name: device.name, route: name })
        return handle({ actor, signal, ...asked })
      },
    }
  }

  #refuse(error: ReinError): void {
    if (!this.#isParting) void this.#outlet.send({ refused: error.toBody().error })
    this.#part(closeCodes.refused)
  }

  /** Nothing more is done for it; a tab that does not answer the close is cut off. */
  #part(code: number): void {
    if (this.#isParting) return
    this.#isParting = true
    this.#streams.closeAll()
    void this.#outlet.handedOver().then(() => this.#ws.close(code))
    setTimeout(() => this.#ws.terminate(), partingMs).unref()
  }
}

interface Found {
  card: Card
  ask: (given: Record<string, unknown>, signal: AbortSignal) => unknown
}

/** Not a frame of the protocol. */
const badFrame = 1008

const refusals = {
  revoked: new ReinError('unknown_device', 'This device was revoked.', 'Pair it again: rein web'),
  crowded: new ReinError(
    'rate_limited',
    `This browser has more than ${maxPages} pages of Rein open.`,
    'Close some of them, and load this one again.',
  ),
}

/** What a client gives in one object, apart: the parameters of the path, and the input. */
const splitInput = (card: Card, given: Record<string, unknown>): Pick<Asked<Card>, 'input' | 'params'> => {
  const names = [...card.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name) => [name, readParam(name, given[name])]))
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))
  return { params, input: readInput(card, rest) }
}

/** Every route that reads records names their topics so. */
const topicsOf = ({ input, params }: Pick<Asked<Card>, 'input' | 'params'>): string[] => {
  const { topic } = params as { topic?: string }
  const { topics = [] } = input as { topics?: string[] }
  return topic === undefined ? topics : [topic, ...topics]
}

/** It may wait for other programs, or read the whole log. */
const isSlow = (name: string): boolean =>
  Object.hasOwn(routes, name) && (routes[name as RouteName] as Card).limitMs !== undefined

const readParam = (name: string, value: unknown): string => {
  if (typeof value === 'string' && value !== '') return value
  throw new ReinError('usage', `Not understood: ${name}: a text is needed.`)
}
