import { type CallToolResult, createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { asReinError } from '../contract/errors.ts'
import { escapeUnsafe } from '../base/util/visible.ts'
import { version } from '../base/util/version.ts'
import type { ToolCaller, Tools } from './tool.ts'

const instructions =
  'Rein connects you with the user and with other agents. Directives come to you by themselves; acknowledge each with ack_directive. Messages from channels come by themselves, too; answer them with send_to_channel. Your team talks in rooms: chat_read, chat_send.'

/** Answers one request. Nothing is kept from one to the next, so a new daemon goes on where the old one was. */
export const serveMcp = (request: Request, caller: ToolCaller, tools: Tools): Promise<Response> =>
  createMcpHandler(() => {
    const server = new McpServer(
      { name: 'rein', version },
      { instructions, capabilities: { tools: { listChanged: false } } },
    )
    for (const [name, tool] of Object.entries(tools)) {
      const { description, input: inputSchema, isReadOnly } = tool
      const annotations = { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false }
      const described = { description, inputSchema, annotations, _meta: loadedAlways }
      server.registerTool(name, described, async (input) => {
        // The model reads a failure as it reads a result: what happened, and what to do next.
        try {
          return toResult(await tool.run(caller, input), false)
        } catch (cause) {
          const { code, message, hint } = asReinError(cause)
          return toResult(`${code}: ${message}${hint === undefined ? '' : ` ${hint}`}`, true)
        }
      })
    }
    return server
  }).fetch(request)

/** Claude Code omits tools from its requests until the model searches for them, which it does not for unknown ones. */
const loadedAlways = { 'anthropic/alwaysLoad': true }

/** Escapes characters in results that a person would not see. */
const toResult = (text: string, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: escapeUnsafe(text) }],
  isError,
})
