/** OpenAI Responses: `POST /v1/responses`, as Codex speaks it. */
import { z } from 'zod'
import { type Block, splitBlock } from '../blocks.ts'
import { textOf } from '../../base/util/json.ts'
import { formatId, newId } from '../ids.ts'
import { type Part, type Received, countTokens } from '../received.ts'
import { openaiError } from './openai-error.ts'
import { type Format, resetAfter, type ServerEvent, type Wire } from './wire.ts'

const Content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
const Item = z.looseObject({
  type: z.string().default('message'),
  role: z.enum(['system', 'developer', 'user', 'assistant']).optional(),
  name: z.string().optional(),
  content: Content.nullish(),
  output: Content.nullish(),
})
const OfferedTool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
})

const ResponsesBody = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  instructions: z.string().nullish(),
  input: z.union([z.string().transform((text) => [Item.parse({ role: 'user', content: text })]), z.array(Item)]),
  tools: z.array(OfferedTool).optional(),
  text: z.looseObject({ format: z.looseObject({ schema: z.unknown().optional() }).optional() }).optional(),
})

type Item = z.infer<typeof Item>

const textsOf = (content: z.infer<typeof Content> | null | undefined): string[] =>
  typeof content === 'string' ? [content] : (content ?? []).map(({ text = '' }) => text)

const format = (received: Received): Format => {
  const base = { id: newId('resp'), object: 'response', created_at: Math.floor(Date.now() / 1000), error: null }
  const response = (status: string, more: object) => ({ ...base, status, model: received.model, output: [], ...more })
  const complete = (blocks: readonly Block[]) =>
    response('completed', { output: blocks.map(itemOf), usage: usage(received, blocks) })
  let sequence = 0
  const event = (type: string, data: object): ServerEvent => ({
    event: type,
    data: { type, sequence_number: sequence++, ...data },
  })
  return {
    begin: () => [event('response.created', { response: response('in_progress', {}) })],
    block: (block, { length: index }) => ({
      first: [
        event('response.output_item.added', { output_index: index, item: begun(block) }),
        ...opening(block, index),
      ],
      pieces: splitBlock(block).map((delta) => event(`${streamOf(block)}.delta`, { ...place(block, index), delta })),
      last: [
        event(`${streamOf(block)}.done`, {
          ...place(block, index),
          ...(block.type === 'call' ? { arguments: JSON.stringify(block.call.input) } : { text: block.text }),
        }),
        event('response.output_item.done', { output_index: index, item: itemOf(block) }),
      ],
    }),
    end: (blocks) => [event('response.completed', { response: complete(blocks) })],
    whole: complete,
    failed: (error) => [event('response.failed', { response: response('failed', { error: openaiError(error) }) })],
  }

  function opening(block: Block, index: number): ServerEvent[] {
    if (block.type === 'call') return []
    const part = block.type === 'text' ? outputText('') : { type: 'summary_text', text: '' }
    const type = block.type === 'text' ? 'response.content_part.added' : 'response.reasoning_summary_part.added'
    return [event(type, { ...place(block, index), part })]
  }
}

/** The events that carry a block's pieces, and where in the reply they belong. */
const streamOf = ({ type }: Block): string => {
  if (type === 'text') return 'response.output_text'
  return type === 'call' ? 'response.function_call_arguments' : 'response.reasoning_summary_text'
}

const place = (block: Block, output_index: number) => {
  const at = { item_id: itemOf(block).id, output_index }
  if (block.type === 'text') return { ...at, content_index: 0 }
  return block.type === 'call' ? at : { ...at, summary_index: 0 }
}

const outputText = (text: string) => ({ type: 'output_text', text, annotations: [] })

const itemOf = (block: Block) => {
  const status = 'completed'
  if (block.type === 'text') {
    return {
      type: 'message',
      id: formatId('msg', block.id),
      status,
      role: 'assistant',
      content: [outputText(block.text)],
    }
  }
  if (block.type === 'thinking') {
    return { type: 'reasoning', id: formatId('rs', block.id), summary: [{ type: 'summary_text', text: block.text }] }
  }
  const { input, ...tool } = block.call
  const call = { type: 'function_call', id: formatId('fc', block.id), status, call_id: formatId('call', block.id) }
  return { ...call, ...tool, arguments: JSON.stringify(input) }
}

/** An item as it looks before its first piece. */
const begun = (block: Block) => {
  const status = 'in_progress'
  if (block.type === 'text') return { ...itemOf(block), status, content: [] }
  return block.type === 'call' ? { ...itemOf(block), status, arguments: '' } : { ...itemOf(block), summary: [] }
}

const usage = (received: Received, blocks: readonly Block[]) => {
  const output = countTokens(JSON.stringify(blocks))
  return {
    input_tokens: received.tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: received.tokens + output,
  }
}

export const responses: Wire = {
  name: 'responses',
  matches: (method, path) => method === 'POST' && path === '/v1/responses',
  read: ({ body, headers, tokens: size }) => {
    const { model, stream, instructions, input, tools, text } = ResponsesBody.parse(body)
    const [first] = input
    // Codex sends its own instructions as the first developer message; later ones are what hooks say.
    const leads = !instructions && first?.role === 'developer' ? first : undefined
    return {
      model,
      stream: stream === true,
      conversation: textOf(headers['thread-id']) ?? undefined,
      system: instructions || textsOf(leads?.content).join('\n'),
      messages: input.slice(leads === undefined ? 0 : 1).map(({ type, role, name = '', content, output }) => {
        if (type.endsWith('_output'))
          return { role: 'user', parts: [{ type: 'result', text: textsOf(output).join('\n') }] }
        if (type !== 'message') return { role: 'assistant', parts: [{ type: 'call', name }] }
        const parts: Part[] = textsOf(content).map((part) => ({ type: 'text', text: part }))
        return { role: role === 'user' || role === 'assistant' ? role : 'system', parts }
      }),
      tools: (tools ?? []).flatMap(({ type, name, tools: group }) =>
        group !== undefined && name !== undefined
          ? group.map((tool) => ({ name: tool.name, namespace: name }))
          : [{ name: name ?? type }],
      ),
      schema: text?.format?.schema,
      tokens: size,
    }
  },
  format,
  errorBody: (error) => ({ error: openaiError(error) }),
  // The service behind Codex reports the used-up window like this with every reply.
  errorHeaders: ({ isQuota, retryAfter = 0 }): Record<string, string> => {
    if (isQuota !== true) return {}
    return {
      'x-codex-primary-used-percent': '100',
      'x-codex-primary-window-minutes': '300',
      'x-codex-primary-reset-at': String(resetAfter(retryAfter)),
    }
  },
}
