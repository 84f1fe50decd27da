import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { WebSocket } from 'ws'
import type { Client } from '../../src/client/client.ts'
import type { DeviceKey } from '../../src/contract/device.ts'
import { ReinError } from '../../src/contract/errors.ts'
import type { Paired } from '../../src/contract/routes/web.ts'
import type { Scope } from '../../src/contract/scope.ts'
import { pairingText, signedText, socketPath } from '../../src/contract/socket-terms.ts'

export const allScopes: Scope[] = ['read', 'tell', 'answer', 'control', 'files', 'admin']

const privateKeys = new Map<string, KeyObject>()

/** The key that a browser would keep. */
export const createKey = (): { key: DeviceKey; privateKey: KeyObject } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  privateKeys.set(x, privateKey)
  return { key: { kty: 'EC', crv: 'P-256', x, y }, privateKey }
}

/** As a browser does: ECDSA with SHA-256, IEEE P1363, base64url. */
const signText = (key: KeyObject, text: string): string =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')

export const signAs = (privateKey: KeyObject, origin: string, challenge: string): string =>
  signText(privateKey, signedText(origin, challenge))

interface Pairing {
  code: string
  name?: string
  key?: { x?: string } | undefined
  signature?: string
}

/** With the signature of its key, unless it has one already. */
export const signPairing = (pairing: Pairing, origin: string): Pairing => {
  const privateKey = privateKeys.get(pairing.key?.x ?? '')
  return {
    signature: privateKey === undefined ? '' : signText(privateKey, pairingText(origin, pairing.code)),
    ...pairing,
  }
}

export const postPair = (port: number, pairing: Pairing, origin = `http://127.0.0.1:${port}`): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/v1/web/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(signPairing(pairing, origin)),
  })

export interface PairedDevice {
  port: number
  id: string
  privateKey: KeyObject
}

/** A browser of this machine pairs. */
export const pairDevice = async (client: Client, port: number, scopes = allScopes, name = 'phone') => {
  const { code } = await client.pairStart({ scopes, name })
  const { key, privateKey } = createKey()
  const response = await postPair(port, { code, name: 'Firefox', key })
  const { device } = (await response.json()) as Paired
  return { port, id: device.id, privateKey, key, code }
}

type Frame = Record<string, unknown> & { id?: number }

/** One open socket, before or after its device is let in. */
export class Tab {
  readonly ws: WebSocket
  readonly frames: Frame[] = []
  readonly closed: Promise<number>
  #next = 0
  readonly #news = new EventEmitter().setMaxListeners(0)

  constructor(port: number, headers: Record<string, string> = { origin: `http://127.0.0.1:${port}` }) {
    this.ws = new WebSocket(`ws://127.0.0.1:${port}${socketPath}`, { headers, perMessageDeflate: true })
    this.ws.on('message', (data) => {
      this.frames.push(JSON.parse((data as Buffer).toString()) as Frame)
      this.#news.emit('frame')
    })
    this.ws.on('error', () => undefined)
    this.closed = once(this.ws, 'close').then(([code]) => {
      this.#news.emit('frame')
      return Number(code)
    })
  }

  send(frame: unknown): void {
    this.ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  /** Resolves with the first frame that is so, also one that has come already; fails when the socket closes first. */
  async frame(isIt: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(isIt)
      if (found !== undefined) return found
      if (this.ws.readyState === WebSocket.CLOSED) throw new Error(`closed: ${JSON.stringify(this.frames.at(-1))}`)
      await once(this.#news, 'frame')
    }
  }

  async challenge(): Promise<string> {
    return String((await this.frame((frame) => 'challenge' in frame))['challenge'])
  }

  async call(name: string, input: object = {}): Promise<unknown> {
    const id = (this.#next += 1)
    this.send({ id, call: name, input })
    const answer = await this.frame((frame) => frame.id === id)
    if ('error' in answer) throw ReinError.fromBody({ error: answer['error'] as ReinError })
    return answer['result']
  }

  /** The number of the stream. */
  open(name: string, input: object = {}): number {
    const id = (this.#next += 1)
    this.send({ id, open: name, input })
    return id
  }

  linesOf(id: number): unknown[] {
    return this.frames.filter((frame) => frame.id === id && 'line' in frame).map((frame) => frame['line'])
  }

  close(): Promise<number> {
    this.ws.close()
    return this.closed
  }
}

/** Connects a device, and answers the challenge. */
export const enter = async ({ port, id, privateKey }: PairedDevice): Promise<Tab> => {
  const tab = new Tab(port)
  const signature = signAs(privateKey, `http://127.0.0.1:${port}`, await tab.challenge())
  tab.send({ hello: { device: id, signature } })
  await tab.frame((frame) => 'welcome' in frame || 'refused' in frame)
  return tab
}
