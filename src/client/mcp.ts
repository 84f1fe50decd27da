import type { IncomingMessage } from 'node:http'
import { isObject, parseObject, textOf } from '../base/util/json.ts'
import { readText, toError } from './http.ts'

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** Over HTTP a client of the newer protocol says in headers, too, what its message is. */
export const mcpHeaders = ({ method, params }: Record<string, unknown>): Record<string, string> => {
  const { _meta: meta, name } = isObject(params) ? params : {}
  const version = isObject(meta) ? textOf(meta[versionKey]) : null
  const accept = { accept: 'application/json, text/event-stream' }
  if (version === null) return accept
  const called: Record<string, string> = method === 'tools/call' && typeof name === 'string' ? { 'mcp-name': name } : {}
  return { ...accept, 'mcp-protocol-version': version, 'mcp-method': String(method), ...called }
}

/** An answer is one message, or a stream of events that are one each; to a notification there is none. */
export const readMessages = async (response: IncomingMessage): Promise<string[]> => {
  const text = await readText(response)
  if (response.statusCode === 202) return []
  if (response.headers['content-type']?.startsWith('text/event-stream'))
    return [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => data.trimEnd())
  const value = parseObject(text)
  if (value?.['jsonrpc'] !== undefined) return [text]
  throw toError(value, `status ${response.statusCode}`)
}
