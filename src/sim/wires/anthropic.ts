/** Anthropic Messages: `POST /v1/messages`, as Claude Code speaks it. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { textOf } from '../../base/util/json.ts'
import { type Block, hasCall, splitBlock } from '../blocks.ts'
import { formatId, newId } from '../ids.ts'
import { type Received, countTokens } from '../received.ts'
import { type ApiError, type Format, resetAfter, type ServerEvent, type Wire } from './wire.ts'

const ContentBlock = z.looseObject({ type: z.string(), text: z.string().optional(), content: z.unknown().optional() })
const Content = z.union([z.string(), z.array(ContentBlock)])

export const MessagesBody = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  system: Content.optional(),
  messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: Content })),
  tools: z.array(z.looseObject({ name: z.string().optional() })).optional(),
  metadata: z.looseObject({ user_id: z.string().optional() }).optional(),
  output_config: z.looseObject({ format: z.looseObject({ schema: z.unknown() }).optional() }).optional(),
})

export type MessagesBody = z.infer<typeof MessagesBody>

const joined = (content: unknown): string => {
  const parsed = Content.safeParse(content)
  if (!parsed.success) return ''
  if (typeof parsed.data === 'string') return parsed.data
  return parsed.data.map((block) => block.text ?? joined(block.content)).join('\n')
}

const format = (received: Received): Format => {
  const message = { id: newId('msg'), type: 'message', role: 'assistant', model: received.model, stop_sequence: null }
  const usage = (output: number) => ({
    input_tokens: received.tokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: output,
    service_tier: 'standard',
  })
  return {
    begin: () => [
      event('message_start', { message: { ...message, usage: usage(1), content: [], stop_reason: null } }),
      event('ping', {}),
    ],
    block: (block, { length: index }) => ({
      first: [event('content_block_start', { index, content_block: emptied(block) })],
      pieces: deltasOf(block).map((delta) => event('content_block_delta', { index, delta })),
      last: [event('content_block_stop', { index })],
    }),
    end: (blocks) => [
      event('message_delta', {
        delta: { stop_reason: stopReason(blocks), stop_sequence: null },
        usage: { output_tokens: outputTokens(blocks) },
      }),
      event('message_stop', {}),
    ],
    whole: (blocks) => ({
      ...message,
      content: blocks.map(contentOf),
      stop_reason: stopReason(blocks),
      usage: usage(outputTokens(blocks)),
    }),
    failed: (error) => [event('error', errorBody(error))],
  }
}

const event = (type: string, data: object): ServerEvent => ({ event: type, data: { type, ...data } })

const contentOf = (block: Block) => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'thinking':
      return { type: 'thinking', thinking: block.text, signature: signatureOf(block.text) }
    default:
      return { type: 'tool_use', id: formatId('toolu', block.id), name: block.call.name, input: block.call.input }
  }
}

/** A block as it looks before its first piece. */
const emptied = (block: Block) => {
  const content = contentOf(block)
  if (block.type === 'call') return { ...content, input: {} }
  return block.type === 'text' ? { ...content, text: '' } : { ...content, thinking: '', signature: '' }
}

const deltasOf = (block: Block) => {
  const pieces = splitBlock(block)
  switch (block.type) {
    case 'text':
      return pieces.map((text) => ({ type: 'text_delta', text }))
    case 'call':
      return pieces.map((part) => ({ type: 'input_json_delta', partial_json: part }))
    default:
      return [
        ...pieces.map((part) => ({ type: 'thinking_delta', thinking: part })),
        { type: 'signature_delta', signature: signatureOf(block.text) },
      ]
  }
}

const signatureOf = (text: string): string => createHash('sha512').update(text).digest('base64')

const stopReason = (blocks: readonly Block[]): string => (hasCall(blocks) ? 'tool_use' : 'end_turn')

const outputTokens = (blocks: readonly Block[]): number => countTokens(JSON.stringify(blocks.map(contentOf)))

const errorTypes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

const errorBody = ({ status, message }: ApiError) => ({
  type: 'error',
  error: { type: errorTypes[status] ?? 'api_error', message },
  request_id: newId('req'),
})

export const anthropic: Wire = {
  name: 'anthropic',
  matches: (method, path) => method === 'POST' && path === '/v1/messages',
  read: ({ body, headers, tokens: size }) => {
    const parsed = MessagesBody.parse(body)
    // The user id holds the session id too, but changes within a conversation when two of them start at once in a new home.
    // Sub-agents share their leader's session id, so the agent is part of the name.
    const session = textOf(headers['x-claude-code-session-id']) ?? parsed.metadata?.user_id ?? ''
    return {
      model: parsed.model,
      stream: parsed.stream === true,
      conversation: `${session} ${textOf(headers['x-claude-code-agent-id']) ?? ''}`,
      system: joined(parsed.system ?? ''),
      messages: parsed.messages.map(({ role, content }) => ({
        role,
        parts:
          typeof content === 'string'
            ? [{ type: 'text', text: content }]
            : content.map((block) => {
                const text = block.text ?? joined(block.content)
                if (block.type === 'tool_use') return { type: 'call', name: String(block['name']) }
                return { type: block.type === 'text' ? 'text' : 'result', text }
              }),
      })),
      tools: (parsed.tools ?? []).map(({ name = '' }) => ({ name })),
      schema: parsed.output_config?.format?.schema,
      tokens: size,
    }
  },
  format,
  errorBody,
  // The service announces a subscription's limit like this; Claude Code believes it only with an account's token.
  errorHeaders: ({ isQuota, retryAfter = 0 }): Record<string, string> => {
    if (isQuota !== true) return {}
    const prefix = 'anthropic-ratelimit-unified'
    return {
      [`${prefix}-status`]: 'rejected',
      [`${prefix}-representative-claim`]: 'five_hour',
      [`${prefix}-reset`]: String(resetAfter(retryAfter)),
    }
  },
}
