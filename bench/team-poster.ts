import { v7 as uuid } from 'uuid'
import { agentTokenHeader } from '../src/contract/headers.ts'
import { routes } from '../src/contract/routes/all.ts'
import { serveRole } from './role.ts'
import { sendAll, type SendResult, text } from './sender.ts'

export type PostKind = 'hello' | 'nothing' | 'post'

export interface PostOrder {
  kind: PostKind
  /** How many each of them sends. */
  count: number
  /** Tokens of those who post, one connection each. */
  tokens: string[]
  /** The token of an agent that does not exist. */
  nobody: string
  room: string
  cwd: string
}

/** Every agent on a connection of its own that it keeps, each waiting for its answer before it sends the next. */
export const teamPoster = (socket: string): void =>
  serveRole(async (order: PostOrder): Promise<SendResult> => {
    const requests = order.tokens.map((token) => Array.from({ length: order.count }, () => toRequest(order, token)))
    const latencies: number[] = []
    const started = performance.now()
    await Promise.all(requests.map((own) => sendAll(socket, own, latencies)))
    return { perSecond: (latencies.length / (performance.now() - started)) * 1000, latencies }
  })

const toRequest = ({ kind, room, cwd, nobody }: PostOrder, token: string): string => {
  const by = `Host: rein\r\nX-Rein-Hook: 1\r\n${agentTokenHeader}: ${kind === 'nothing' ? nobody : token}`
  if (kind === 'hello') return `GET ${routes.hello.path} HTTP/1.1\r\n${by}\r\n\r\n`
  const body = JSON.stringify({ room, cwd, text, id: `post_${uuid()}` })
  const path = kind === 'post' ? routes.post.path : '/v1/hooks/claude/Nothing'
  const length = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
  return `POST ${path} HTTP/1.1\r\n${by}\r\n${length}\r\n\r\n${body}`
}
