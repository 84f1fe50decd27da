// An MCP server on its standard input and output, with two tools that say yes.
import { createInterface } from 'node:readline'

const tool = { name: 'ack_directive', description: 'Says yes.', inputSchema: { type: 'object', properties: {} } }

const resultOf = ({ method, params }) => {
  if (method === 'tools/list') return { tools: [tool, { ...tool, name: 'other' }] }
  if (method === 'tools/call') return { content: [{ type: 'text', text: 'yes' }] }
  if (method !== 'initialize') return {}
  const serverInfo = { name: 'yes', version: '1.0.0' }
  return { protocolVersion: params?.protocolVersion ?? '', capabilities: { tools: {} }, serverInfo }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line)
  if (message.id === undefined) continue
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) })}\n`)
}
