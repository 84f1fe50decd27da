import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import ece from 'http_ece'
import { onTestFinished } from 'vitest'
import type { PushMessage } from '../../src/contract/push.ts'

interface Pushed {
  path: string
  headers: IncomingHttpHeaders
  /** As the browser that it is for decrypts it. */
  message: PushMessage
  /** What the token says, if its signature is that of the key beside it. */
  claims: { aud: string; exp: number; sub: string }
  /** The key that the browser was given would have to be this one. */
  key: string
}

type Answer = (response: ServerResponse) => void

/** A browser that is subscribed at a push service. */
export const createBrowser = () => {
  const receiver = createECDH('prime256v1')
  receiver.generateKeys()
  const auth = randomBytes(16)
  const open = (sealed: Buffer): PushMessage =>
    JSON.parse(String(ece.decrypt(sealed, { version: 'aes128gcm', privateKey: receiver, authSecret: auth })))
  return { open, keys: { p256dh: receiver.getPublicKey('base64url'), auth: auth.toString('base64url') } }
}

export const answering =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end('no more')

/** A push service on this machine, with one browser; it takes everything, unless the next answers were set. */
export const startPushService = async () => {
  const browser = createBrowser()
  const pushed: Pushed[] = []
  const answers: Answer[] = []
  const waiters = new Set<() => void>()
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url: path = '', headers } = request
    pushed.push({ path, headers, message: browser.open(await buffer(request)), ...readToken(headers) })
    const answer = answers.shift() ?? answering(201)
    answer(response)
    for (const wake of waiters) wake()
  }
  const server = createServer((request, response) => {
    void take(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  /** Resolves when so many requests have come. */
  const hasGot = async (count: number): Promise<Pushed[]> => {
    while (pushed.length < count) await new Promise<void>((resolve) => waiters.add(resolve))
    return pushed
  }
  return { origin, endpoint: `${origin}/push/secret-part`, keys: browser.keys, pushed, answers, hasGot }
}

const readToken = ({ authorization = '' }: IncomingHttpHeaders): Pick<Pushed, 'claims' | 'key'> => {
  const [, head = '', claims = '', signature = '', key = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('The token is not signed with the key beside it.')
  return { claims: JSON.parse(String(Buffer.from(claims, 'base64url'))), key }
}
