import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import {
  type Adapter,
  createAdapter,
  type MessageDetails,
  type OutgoingMessage,
  PermanentError,
  RetryError,
} from './sdk/adapter.ts'
import { messageOf } from './sdk/retry.ts'
import { readWebhook, type Webhook } from '../features/channels/webhooks/payload.ts'
import { RateLimit } from '../features/channels/webhooks/rate.ts'
import { signGithub } from '../features/channels/webhooks/signature.ts'
import { ReceiveInput } from '../contract/routes/channels.ts'
import { asReinError, ReinError } from '../contract/errors.ts'
import { connectionRoom, limitConnections } from '../base/util/connections.ts'
import { isEqual } from '../base/util/constant-time.ts'
import { isObject, parseObject } from '../base/util/json.ts'
import { channelNamed, readSecret, Secret } from './config.ts'
import { fill } from './fill.ts'
import type { AdapterKind } from './kind.ts'

const In = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65_535),
  path: z.string().startsWith('/').default('/'),
  proof: z.enum(['github', 'slack', 'bearer']),
  secret: Secret,
  maxBytes: z
    .int()
    .positive()
    .default(1024 * 1024),
  ratePerMinute: z.int().positive().max(1_000_000).default(120),
})
const Out = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  secret: Secret.optional(),
  body: z.record(z.string(), z.string()).optional(),
  timeoutSeconds: z.number().positive().max(600).default(10),
})
const Config = z
  .strictObject({ channel: channelNamed('webhook'), in: In.optional(), out: Out.optional() })
  .refine(({ in: way, out }) => way !== undefined || out !== undefined, 'needs [in], [out] or both')

/** Services give up after about ten seconds, and try again. */
const acceptLimitMs = 8_000
/** How long a sender may take who sends byte by byte. */
const requestLimitMs = 30_000
/** All senders together may bring so many times what one may: a sender can have many names. */
const everybody = 10

type Listening = z.infer<typeof In> & { key: string; now: () => number; rates: RateLimit }
/** What a request says; who sends with a token may say more than a service does. */
type Said = Webhook | { kind: 'message'; message: MessageDetails & { content: string } }
type Posting = z.infer<typeof Out> & { key: string | null }

const listen = async (adapter: Adapter, way: Listening, log: (line: string) => void): Promise<void> => {
  const server = createServer({ requestTimeout: requestLimitMs }, (request, response) => {
    void answer(adapter, way, request, response)
  })
  limitConnections(server, connectionRoom())
  server.listen(way.port, way.host)
  await once(server, 'listening')
  log(`Listening on http://${way.host}:${(server.address() as AddressInfo).port}${way.path}`)
  if (!adapter.signal.aborted) await once(adapter.signal, 'abort')
  server.close()
  await once(server, 'close')
}

const answer = async (adapter: Adapter, way: Listening, request: IncomingMessage, response: ServerResponse) => {
  const reply = (status: number, body: string | object): void => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    // When the next message passes for sure; a daemon that is away may be back by then.
    const seconds = status === 429 ? Math.ceil(60 / way.ratePerMinute) : status === 503 ? 10 : null
    const retry = seconds === null ? {} : { 'retry-after': String(seconds) }
    response.writeHead(status, { connection: 'close', ...retry }).end(text)
  }
  try {
    if (request.url?.split('?')[0] !== way.path) throw new ReinError('not_found', 'There is nothing here.')
    if (request.method !== 'POST') throw new ReinError('usage', 'Messages come by POST.')
    // The token is checked before anything of the request is read.
    if (way.proof === 'bearer' && !isEqual(request.headers.authorization ?? '', `Bearer ${way.key}`))
      throw new ReinError('forbidden', 'The token is not right.')
    const chunks: Buffer[] = []
    let length = 0
    // The answer needs the connection, which else would end with the reading.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > way.maxBytes) throw new ReinError('text_too_large', `More than ${way.maxBytes} bytes are not taken.`)
      chunks.push(chunk)
    }
    const said = read(way, request, Buffer.concat(chunks).toString())
    if (said.kind === 'nothing') return reply(204, '')
    if (said.kind === 'challenge') return reply(200, said.answer)
    // A holder of the token can name any sender, so there the address counts.
    const sender = way.proof === 'bearer' ? (request.socket.remoteAddress ?? '') : (said.message.sender ?? '')
    if (!way.rates.passes(`from ${sender}`) || !way.rates.passes('everybody', everybody))
      throw new ReinError(
        'rate_limited',
        'Too many messages within a minute.',
        'Send fewer, or raise in.ratePerMinute.',
      )
    const { content, ...details } = said.message
    reply(200, await adapter.receive(content, { ...details, signal: AbortSignal.timeout(acceptLimitMs) }))
  } catch (cause) {
    const error = asReinError(cause)
    reply(error.status, error.toBody())
  }
}

const read = ({ proof, key, now }: Listening, { headers }: IncomingMessage, body: string): Said => {
  const header = (name: string): string | undefined => headers[name]?.toString()
  if (proof !== 'bearer') return readWebhook(proof, key, body, header, now())
  const given = ReceiveInput.safeParse(parseObject(body) ?? { content: body })
  if (!given.success) throw new ReinError('usage', 'A message is JSON with a text as `content`, or plain text.')
  const { ts: claimedAt, key: named, ...message } = given.data
  return { kind: 'message', message: { ...message, claimedAt, key: header('idempotency-key') ?? named } }
}

const post = async ({ url, key, body: template, timeoutSeconds }: Posting, message: OutgoingMessage): Promise<void> => {
  const filled = Object.entries(template ?? {}).map(([name, value]) => [name, fill(value, message)])
  const body = JSON.stringify(template === undefined ? message : Object.fromEntries(filled))
  const signed: Record<string, string> = key === null ? {} : { 'x-hub-signature-256': signGithub(key, body) }
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', 'idempotency-key': message.id, ...signed },
    body,
    signal: AbortSignal.timeout(timeoutSeconds * 1000),
  }).catch((cause: unknown) => {
    throw new Error(`${new URL(url).host}: ${messageOf(isObject(cause) ? (cause['cause'] ?? cause) : cause)}`)
  })
  await response.body?.cancel()
  if (response.ok) return
  const { status, headers } = response
  // The path of an address is often a secret, so only its host is named.
  const reason = `${new URL(url).host} answers with status ${status}.`
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const isPassing = status >= 500 || status === 408 || status === 429
  if (!isPassing) throw new PermanentError(reason)
  throw seconds >= 0 ? new RetryError(reason, seconds * 1000) : new Error(reason)
}

/** Takes webhooks in, and posts what agents say. */
export const webhook: AdapterKind<typeof Config> = {
  config: Config,
  start: async ({ channel, in: way, out }, world) => {
    const { daemon, now, log } = world
    const inKey = way && (await readSecret('in.secret', way.secret, world))
    const outKey = out?.secret && (await readSecret('out.secret', out.secret, world))
    const send = out && ((message: OutgoingMessage) => post({ ...out, key: outKey ?? null }, message))
    const sendLimitMs = out && (out.timeoutSeconds + 5) * 1000
    const adapter = await createAdapter({ channel, send, sendLimitMs, log }, daemon)
    if (way !== undefined) {
      const rates = new RateLimit(way.ratePerMinute, now)
      adapter.run(() => listen(adapter, { ...way, key: inKey ?? '', now, rates }, log))
    }
    return adapter
  },
}
