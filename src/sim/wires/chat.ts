/** OpenAI chat completions: `POST /v1/chat/completions`, as Copilot CLI and opencode speak it. */
import { z } from 'zod'
import { textOf } from '../../base/util/json.ts'
import { type Block, hasCall, splitBlock } from '../blocks.ts'
import { formatId, newId } from '../ids.ts'
import { type Part, type Received, countTokens } from '../received.ts'
import { openaiError } from './openai-error.ts'
import type { ServerEvent, Wire } from './wire.ts'

const Content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
const ToolCall = z.looseObject({ function: z.looseObject({ name: z.string() }) })
const ChatMessage = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: Content.nullish(),
  tool_calls: z.array(ToolCall).nullish(),
})

const ChatBody = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(ChatMessage),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }).optional() })).optional(),
  response_format: z.looseObject({ json_schema: z.looseObject({ schema: z.unknown() }).optional() }).optional(),
})

const joined = (content: z.infer<typeof Content> | null | undefined): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n')

const deltasOf = (block: Block, before: readonly Block[]): object[] => {
  const pieces = splitBlock(block)
  if (block.type === 'text') return pieces.map((content) => ({ content }))
  if (block.type === 'thinking') return pieces.map((text) => ({ reasoning_content: text }))
  const index = before.filter(({ type }) => type === 'call').length
  const named = {
    index,
    id: formatId('call', block.id),
    type: 'function',
    function: { name: block.call.name, arguments: '' },
  }
  return [named, ...pieces.map((part) => ({ index, function: { arguments: part } }))].map((call) => ({
    tool_calls: [call],
  }))
}

const wholeMessage = (blocks: readonly Block[]) => {
  const calls = blocks.flatMap((block) => (block.type === 'call' ? [block] : []))
  const text = (type: Block['type']) =>
    blocks.flatMap((block) => (block.type === type && block.type !== 'call' ? [block.text] : [])).join('') || null
  return {
    role: 'assistant',
    content: text('text'),
    reasoning_content: text('thinking'),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, call }) => ({
            id: formatId('call', id),
            type: 'function',
            function: { name: call.name, arguments: JSON.stringify(call.input) },
          })),
        }),
  }
}

const finishReason = (blocks: readonly Block[]): string => (hasCall(blocks) ? 'tool_calls' : 'stop')

const usage = (received: Received, blocks: readonly Block[]) => {
  const output = countTokens(JSON.stringify(blocks))
  return {
    prompt_tokens: received.tokens,
    completion_tokens: output,
    total_tokens: received.tokens + output,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  }
}

export const chat: Wire = {
  name: 'chat',
  matches: (method, path) => method === 'POST' && path === '/v1/chat/completions',
  read: ({ body, headers, tokens: size }) => {
    const { model, stream, messages, tools, response_format } = ChatBody.parse(body)
    const [first] = messages
    const hasSystem = first?.role === 'system' || first?.role === 'developer'
    return {
      model,
      stream: stream === true,
      conversation: textOf(headers['x-session-id']) ?? undefined,
      system: hasSystem ? joined(first.content) : '',
      messages: messages.slice(hasSystem ? 1 : 0).map(({ role, content, tool_calls }) => {
        if (role === 'tool') return { role: 'user', parts: [{ type: 'result', text: joined(content) }] }
        const calls: Part[] = (tool_calls ?? []).map((call) => ({ type: 'call', name: call.function.name }))
        const blocks = typeof content === 'string' ? [{ text: content }] : (content ?? [])
        const texts = blocks.map(({ text = '' }): Part => ({ type: 'text', text }))
        return { role: role === 'developer' ? 'system' : role, parts: [...texts, ...calls] }
      }),
      tools: (tools ?? []).flatMap((tool) => tool.function ?? []),
      schema: response_format?.json_schema?.schema,
      tokens: size,
    }
  },
  format: (received) => {
    const base = { id: newId('chatcmpl'), created: Math.floor(Date.now() / 1000), model: received.model }
    const head = (object: string) => ({ ...base, object, system_fingerprint: 'scripted' })
    const chunk = (delta: object, reason: string | null = null): ServerEvent => ({
      data: { ...head('chat.completion.chunk'), choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }] },
    })
    return {
      begin: () => [chunk({ role: 'assistant', content: '' })],
      block: (block, before) => ({ first: [], pieces: deltasOf(block, before).map((delta) => chunk(delta)), last: [] }),
      end: (blocks) => [
        chunk({}, finishReason(blocks)),
        { data: { ...head('chat.completion.chunk'), choices: [], usage: usage(received, blocks) } },
        { data: '[DONE]' },
      ],
      whole: (blocks) => ({
        ...head('chat.completion'),
        choices: [{ index: 0, message: wholeMessage(blocks), logprobs: null, finish_reason: finishReason(blocks) }],
        usage: usage(received, blocks),
      }),
      failed: (error) => [{ data: { error: openaiError(error) } }],
    }
  },
  errorBody: (error) => ({ error: openaiError(error) }),
}
