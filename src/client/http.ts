import { type IncomingMessage, request as httpRequest } from 'node:http'
import { type ErrorBody, ReinError } from '../contract/errors.ts'
import { hearBuild } from './build.ts'
import { isObject, parseObject } from '../base/util/json.ts'
import { LineSplitter } from '../base/util/line-splitter.ts'

interface Request {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
  /** How long it may take until the whole answer is there. */
  limitMs?: number
}

/** Resolves once the headers of the answer are there; rejects with what Node reports. */
export const send = (socket: string, { body, limitMs, ...request }: Request): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    // An empty server name, because to find one out Node compiles patterns for 8 ms.
    const options = { socketPath: socket, agent: false, servername: '', ...request }
    const sent = httpRequest(options, (response) => {
      hearBuild(response)
      resolve(response)
    })
    sent.on('error', reject)
    // A timer: an AbortSignal would cost every command more than a millisecond.
    if (limitMs !== undefined) {
      let answer: IncomingMessage | undefined
      const late = Object.assign(new Error(`no answer in ${limitMs} ms`), { code: 'ETIMEDOUT' })
      const timer = setTimeout(() => (answer ?? sent).destroy(late), limitMs)
      sent.once('response', (response) => (answer = response)).once('close', () => clearTimeout(timer))
    }
    sent.end(body)
  })

export const codeOf = (cause: unknown): string | undefined =>
  isObject(cause) && typeof cause['code'] === 'string' ? cause['code'] : undefined

/** No daemon: no socket, or one that its daemon left behind. */
export const nobodyListens = (cause: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ECONNREFUSED'].includes(codeOf(cause) ?? '')

/** No daemon, or one that took the connection and was gone: the next one waits for its lock. */
export const isDaemonGone = (cause: unknown): boolean =>
  nobodyListens(cause) || ['ECONNRESET', 'EPIPE'].includes(codeOf(cause) ?? '')

/** One JSON document, or the error that the daemon answered instead. */
export const readJson = async (response: IncomingMessage): Promise<unknown> => {
  const text = await readText(response)
  const value = parse(text)
  if (response.statusCode === 200 && value !== undefined) return value
  throw toError(value, `status ${response.statusCode}`)
}

export const toError = (value: unknown, otherwise: string): ReinError =>
  isErrorBody(value) ? ReinError.fromBody(value) : notRein(otherwise)

/** One value for each line, until the daemon ends the answer. */
export async function* readLines(response: IncomingMessage): AsyncGenerator<Record<string, unknown>> {
  if (response.statusCode !== 200) await readJson(response)
  const splitter = new LineSplitter()
  for await (const chunk of response as AsyncIterable<Buffer>)
    for (const line of splitter.push(chunk))
      if (line !== '') {
        const value = parseObject(line)
        if (value === null) throw notRein('a line that is no JSON')
        if (isErrorBody(value)) throw ReinError.fromBody(value)
        yield value
      }
}

export const readText = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isErrorBody = (value: unknown): value is ErrorBody =>
  isObject(value) &&
  isObject(value['error']) &&
  typeof value['error']['code'] === 'string' &&
  typeof value['error']['message'] === 'string'

const notRein = (what: string): ReinError =>
  new ReinError('unavailable', `The daemon's answer makes no sense (${what}).`, 'Try `rein daemon stop`, then again.')
