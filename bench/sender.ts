import { connect } from 'node:net'
import { v7 as uuid } from 'uuid'
import { serveRole } from './role.ts'

export type Kind = 'hello' | 'nothing' | 'tell'

export interface SendOrder {
  kind: Kind
  count: number
  handles: string[]
  cwd: string
}

export interface SendResult {
  perSecond: number
  latencies: number[]
}

const connections = 30
export const text = 'Please use exponential backoff in the retry loop, at most 30 s, and add a test. '.repeat(3)

/** 30 senders, each on a connection of its own that it keeps, each waiting for its answer before it sends the next. */
export const sender = (socket: string): void =>
  serveRole(async (order: SendOrder): Promise<SendResult> => {
    const requests = Array.from({ length: order.count }, (_, index) => toRequest(order, index))
    const latencies: number[] = []
    const started = performance.now()
    await Promise.all(Array.from({ length: connections }, () => sendAll(socket, requests, latencies)))
    return { perSecond: (order.count / (performance.now() - started)) * 1000, latencies }
  })

/** Made before the clock starts, and sent as they are: an HTTP client would cost more than the server it measures. */
const toRequest = ({ kind, handles, cwd }: SendOrder, index: number): string => {
  if (kind === 'hello') return 'GET /v1/hello HTTP/1.1\r\nHost: rein\r\n\r\n'
  const target = handles[index % handles.length]
  const body = JSON.stringify({ id: `dir_${uuid()}`, target, cwd, text, from: 'bench', expiresInMs: null })
  const path = kind === 'tell' ? '/v1/directives' : '/v1/hooks/claude/Nothing'
  const headers = `Host: rein\r\nX-Rein-Hook: 1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
  return `POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n${body}`
}

/** Takes from `requests` until none is left. */
export const sendAll = (path: string, requests: string[], latencies: number[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(path).setEncoding('latin1')
    let received = ''
    let sentAt = 0
    const next = (): void => {
      const request = requests.pop()
      if (request === undefined) return void socket.end(() => resolve())
      received = ''
      sentAt = performance.now()
      socket.write(request)
    }
    socket.on('connect', next).on('error', reject)
    socket.on('data', (chunk: string) => {
      received += chunk
      if (!isComplete(received)) return
      if (!/^HTTP\/1.1 20\d/.test(received)) return reject(new Error(received))
      latencies.push(performance.now() - sentAt)
      next()
    })
  })

const isComplete = (response: string): boolean => {
  const body = response.indexOf('\r\n\r\n') + 4
  const length = /^content-length: (\d+)/im.exec(response)?.[1]
  return body > 3 && response.length - body >= Number(length ?? 0)
}
