/** An MCP server with one tool, `ack_directive`, that says yes. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface Message {
  id?: number | string
  method: string
  params?: { protocolVersion?: string }
}

const tool = { name: 'ack_directive', description: 'Says yes.', inputSchema: { type: 'object', properties: {} } }

const resultOf = ({ method, params }: Message): unknown => {
  if (method === 'tools/list') return { tools: [tool, { ...tool, name: 'other' }] }
  if (method === 'tools/call') return { content: [{ type: 'text', text: 'yes' }] }
  if (method !== 'initialize') return {}
  const serverInfo = { name: 'yes', version: '1.0.0' }
  return { protocolVersion: params?.protocolVersion ?? '', capabilities: { tools: {} }, serverInfo }
}

export const startMcpServer = async (): Promise<{ url: string; close: () => void }> => {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const message = (await json(request)) as Message
      if (message.id === undefined) return void response.writeHead(202).end()
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) }))
    }
    void answer()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/mcp`, close }
}
