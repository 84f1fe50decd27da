import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Endpoint } from '../../src/base/base.ts'
import { isObject } from '../../src/base/util/json.ts'
import { agentTokenOf, type Box } from './harness.ts'

export interface Called {
  isError: boolean
  text: string
}

export const toolCall = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

export const toCalled = (message: unknown): Called => {
  const result = isObject(message) && isObject(message['result']) ? message['result'] : {}
  const [first] = Array.isArray(result['content']) ? (result['content'] as { text: string }[]) : []
  return { isError: result['isError'] === true, text: first?.text ?? JSON.stringify(message) }
}

export const endpointOf = (box: Box): Endpoint => JSON.parse(readFileSync(box.paths.endpoint, 'utf8')) as Endpoint

export const tokenOf = (box: Box, handle: string): string => agentTokenOf(box.paths, handle)

const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** How an MCP client asks over the loopback port. */
export const optionsFor = (box: Box, headers: Record<string, string>) => {
  const { port } = endpointOf(box)
  return { host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers: { ...accept, ...headers } }
}

/** A message over the loopback port, as an MCP client sends it. */
export const post = (
  box: Box,
  message: object,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(optionsFor(box, headers), (response) => {
      void text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
    sent.on('error', reject).end(JSON.stringify(message))
  })

export const call = async (box: Box, token: string, name: string, args: object = {}): Promise<Called> => {
  const { body } = await post(box, toolCall(name, args), { authorization: `Bearer ${token}` })
  return toCalled(JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body))
}
