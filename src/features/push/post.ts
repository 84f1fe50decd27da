import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { ReinError } from '../../contract/errors.ts'
import { isTestService } from './endpoint.ts'
import { lookupPublic } from './public-address.ts'

/** What became of a message at a push service. */
export type PushOutcome =
  | { kind: 'taken' }
  /** Nobody is subscribed there any more. */
  | { kind: 'gone' }
  | { kind: 'too_large' }
  /** Without `retryInMs` the sender chooses. */
  | { kind: 'later'; reason: string; retryInMs?: number }
  | { kind: 'refused'; reason: string }

export interface Posting {
  url: URL
  body: Buffer
  headers: Record<string, string>
}

interface PostPorts {
  now: () => number
  /** For tests. */
  allowsLoopback: boolean
}

const limitMs = 20_000
/** Whatever a service wishes. */
const [shortestRetryMs, longestRetryMs] = [1_000, 3_600_000]

/** One request: redirects are not followed, and the answer's text is not read. */
export const postPush = (posting: Posting, { now, allowsLoopback }: PostPorts): Promise<PushOutcome> =>
  new Promise((resolve) => {
    const { url, body, headers } = posting
    const isLocal = allowsLoopback && isTestService(url)
    if (!isLocal && url.protocol !== 'https:') return resolve({ kind: 'refused', reason: 'its address is not https' })
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': String(body.length) },
      // Connections are not kept: a broken one would count as a failed attempt.
      agent: false,
      signal: AbortSignal.timeout(limitMs),
      ...(isLocal ? {} : { lookup: lookupPublic }),
    } as const
    const sent = (isLocal ? requestHttp : requestHttps)(url, options, (answer) => {
      const { statusCode = 0, headers: said } = answer
      resolve(readAnswer(statusCode, said['retry-after'], now()))
      answer.destroy()
    })
    sent.on('error', (cause) => resolve(readFailure(cause)))
    sent.on('close', () => resolve({ kind: 'later', reason: 'no answer' }))
    sent.end(body)
  })

/** The reason holds no text that could name the endpoint. */
const readFailure = (cause: Error): PushOutcome => {
  if (cause instanceof ReinError && cause.code === 'refused') return { kind: 'refused', reason: cause.message }
  if (cause instanceof ReinError) return { kind: 'later', reason: cause.message }
  const code = cause.name === 'AbortError' ? 'ETIMEDOUT' : (cause as NodeJS.ErrnoException).code
  return { kind: 'later', reason: `no answer (${code ?? cause.name})` }
}

export const readAnswer = (status: number, retryAfter: string | undefined, now: number): PushOutcome => {
  if (status >= 200 && status < 300) return { kind: 'taken' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status === 413) return { kind: 'too_large' }
  const reason = `status ${status}`
  if (status !== 429 && status < 500) return { kind: 'refused', reason }
  const retryInMs = readRetryAfter(retryAfter, now)
  return { kind: 'later', reason, ...(retryInMs === null ? {} : { retryInMs }) }
}

/** Seconds, or a date. */
const readRetryAfter = (given: string | undefined, now: number): number | null => {
  if (given === undefined) return null
  const ms = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, shortestRetryMs), longestRetryMs)
}
