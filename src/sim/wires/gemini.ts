/** Gemini: `POST /v1beta/models/<model>:generateContent` and `:streamGenerateContent`, as Gemini CLI speaks it. */
import { z } from 'zod'
import { piecesOf } from '../blocks.ts'
import type { Block } from '../blocks.ts'
import { idOf, newId } from '../ids.ts'
import { tokens } from '../received.ts'
import type { Part, Received } from '../received.ts'
import type { ApiError, Format, ServerEvent, Wire, WireRequest } from './wire.ts'

const GeminiPart = z.looseObject({
  text: z.string().optional(),
  functionCall: z.looseObject({ name: z.string() }).optional(),
  functionResponse: z.looseObject({ response: z.record(z.string(), z.unknown()).optional() }).optional(),
})
const Content = z.looseObject({ role: z.string().optional(), parts: z.array(GeminiPart) })

const GeminiBody = z.looseObject({
  contents: z.array(Content),
  systemInstruction: Content.optional(),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional() }))
    .optional(),
  generationConfig: z
    .looseObject({ responseSchema: z.unknown().optional(), responseJsonSchema: z.unknown().optional() })
    .optional(),
})

const PATH = /^\/v1beta\/models\/([^/]+):(generateContent|streamGenerateContent)$/

export const gemini: Wire = {
  name: 'gemini',
  matches: (method, path) => method === 'POST' && PATH.test(path),
  read,
  format,
  errorBody,
}

function read({ path, body, tokens: size }: WireRequest): Received {
  const { contents, systemInstruction, tools, generationConfig } = GeminiBody.parse(body)
  const [, model = '', method] = PATH.exec(path) ?? []
  return {
    model,
    stream: method === 'streamGenerateContent',
    conversation: undefined,
    system: (systemInstruction?.parts ?? []).map(({ text = '' }) => text).join('\n'),
    messages: contents.map(({ role, parts }) => ({
      role: role === 'model' ? 'assistant' : 'user',
      parts: parts.map(partOf),
    })),
    tools: (tools ?? []).flatMap(({ functionDeclarations = [] }) => functionDeclarations),
    schema: generationConfig?.responseJsonSchema ?? generationConfig?.responseSchema,
    tokens: size,
  }
}

function partOf({ text, functionCall, functionResponse }: z.infer<typeof GeminiPart>): Part {
  if (functionCall !== undefined) return { type: 'call', name: functionCall.name }
  if (text !== undefined) return { type: 'text', text: readable(text) }
  const result = Object.values(functionResponse?.response ?? {})
  return { type: 'result', text: readable(result.map(plain).join('\n')) }
}

/** In the context of hooks Gemini CLI writes angle brackets as entities: a model reads them as what they stand for. */
const readable = (text: string): string =>
  text.replaceAll(/<hook_context>[^<>]*<\/hook_context>/g, (context) =>
    context.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
  )

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function format(received: Received): Format {
  const head = { modelVersion: received.model, responseId: newId('resp') }
  const chunk = (part: object): ServerEvent => ({
    data: { candidates: [{ content: content([part]), index: 0 }], ...head },
  })
  const finished = (parts: object[], blocks: readonly Block[]) => ({
    candidates: [{ content: content(parts), finishReason: 'STOP', index: 0 }],
    usageMetadata: usage(received, blocks),
    ...head,
  })
  return {
    begin: () => [],
    block: (block) => ({ first: [], pieces: partsFor(block).map(chunk), last: [] }),
    end: (blocks) => [{ data: finished([{ text: '' }], blocks) }],
    whole: (blocks) => finished(blocks.map(partFor), blocks),
    failed: (error) => [{ data: errorBody(error) }],
  }
}

const content = (parts: object[]) => ({ role: 'model', parts })

/** Gemini streams a text in pieces, but a call in one. */
function partsFor(block: Block): object[] {
  if (block.type === 'call') return [partFor(block)]
  return piecesOf(block).map((text) => (block.type === 'text' ? { text } : { text, thought: true }))
}

function partFor(block: Block): object {
  if (block.type === 'text') return { text: block.text }
  if (block.type === 'thinking') return { text: block.text, thought: true }
  return { functionCall: { id: idOf('call', block.id), name: block.call.name, args: block.call.input } }
}

function usage(received: Received, blocks: readonly Block[]) {
  const output = tokens(JSON.stringify(blocks))
  const total = received.tokens + output
  return { promptTokenCount: received.tokens, candidatesTokenCount: output, totalTokenCount: total }
}

const STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

const rpc = 'type.googleapis.com/google.rpc'

/** A quota of the day is told from one of the minute by its id. */
const perDay = {
  '@type': `${rpc}.QuotaFailure`,
  violations: [
    {
      quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
      quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
      quotaValue: '50',
    },
  ],
}

function errorBody({ status, message, retryAfter, isQuota }: ApiError) {
  const retry = { '@type': `${rpc}.RetryInfo`, retryDelay: `${retryAfter}s` }
  const details = retryAfter === undefined ? {} : { details: isQuota === true ? [perDay, retry] : [retry] }
  return { error: { code: status, message, status: STATUSES[status] ?? 'INTERNAL', ...details } }
}
