import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { mcpHeaders, readMessages } from './mcp.ts'

const response = (statusCode: number, type: string, text: string): IncomingMessage =>
  Object.assign(Readable.from([Buffer.from(text)]), {
    statusCode,
    headers: { 'content-type': type },
  }) as unknown as IncomingMessage

describe('an answer', () => {
  test('is one message', async () => {
    const message = '{"jsonrpc":"2.0","id":1,"result":{}}'
    expect(await readMessages(response(200, 'application/json', message))).toEqual([message])
  })

  test('is a message for each event of a stream', async () => {
    const events = 'event: message\ndata: {"a":1}\n\n: still there\n\nid: 7\ndata:{"b":2}\r\n\r\n'
    expect(await readMessages(response(200, 'text/event-stream', events))).toEqual(['{"a":1}', '{"b":2}'])
  })

  test('is nothing for a notification', async () => {
    expect(await readMessages(response(202, '', ''))).toEqual([])
  })

  test('is an error of the protocol, or one of the daemon', async () => {
    const refused = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}'
    expect(await readMessages(response(400, 'application/json', refused))).toEqual([refused])
    const forbidden = JSON.stringify({ error: { code: 'forbidden', message: 'no' } })
    await expect(readMessages(response(403, 'application/json', forbidden))).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

test('headers name the message only for the protocol that wants it', () => {
  expect(Object.keys(mcpHeaders({ method: 'tools/list', params: {} }))).toEqual(['accept'])
  const params = { name: 'list_agents', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }
  expect(mcpHeaders({ method: 'tools/call', params })).toMatchObject({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'list_agents',
  })
})
