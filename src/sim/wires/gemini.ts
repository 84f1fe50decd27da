/** Gemini: `POST /v1beta/models/<model>:generateContent` and `:streamGenerateContent`, as Gemini CLI speaks it. */
import { z } from 'zod'
import { type Block, splitBlock } from '../blocks.ts'
import { formatId, newId } from '../ids.ts'
import { countTokens } from '../received.ts'
import type { ApiError, ServerEvent, Wire } from './wire.ts'

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

const requestPath = /^\/v1beta\/models\/([^/]+):(generateContent|streamGenerateContent)$/

/** Gemini CLI escapes angle brackets in hook context: a model reads them unescaped. */
const readable = (text: string): string =>
  text.replaceAll(/<hook_context>[^<>]*<\/hook_context>/g, (context) =>
    context.replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
  )

const content = (parts: object[]) => ({ role: 'model', parts })

const partFor = (block: Block): object => {
  if (block.type === 'text') return { text: block.text }
  if (block.type === 'thinking') return { text: block.text, thought: true }
  return { functionCall: { id: formatId('call', block.id), name: block.call.name, args: block.call.input } }
}

const statuses: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

const rpc = 'type.googleapis.com/google.rpc'

/** The id tells a daily quota from one per minute. */
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

const errorBody = ({ status, message, retryAfter, isQuota }: ApiError) => {
  const retry = { '@type': `${rpc}.RetryInfo`, retryDelay: `${retryAfter}s` }
  const details = retryAfter === undefined ? {} : { details: isQuota === true ? [perDay, retry] : [retry] }
  return { error: { code: status, message, status: statuses[status] ?? 'INTERNAL', ...details } }
}

export const gemini: Wire = {
  name: 'gemini',
  matches: (method, path) => method === 'POST' && requestPath.test(path),
  read: ({ path, body, tokens: size }) => {
    const { contents, systemInstruction, tools, generationConfig } = GeminiBody.parse(body)
    const [, model = '', method] = requestPath.exec(path) ?? []
    return {
      model,
      stream: method === 'streamGenerateContent',
      conversation: undefined,
      system: (systemInstruction?.parts ?? []).map(({ text = '' }) => text).join('\n'),
      messages: contents.map(({ role, parts }) => ({
        role: role === 'model' ? 'assistant' : 'user',
        parts: parts.map(({ text, functionCall, functionResponse }) => {
          if (functionCall !== undefined) return { type: 'call', name: functionCall.name }
          if (text !== undefined) return { type: 'text', text: readable(text) }
          const result = Object.values(functionResponse?.response ?? {})
          return {
            type: 'result',
            text: readable(
              result.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n'),
            ),
          }
        }),
      })),
      tools: (tools ?? []).flatMap(({ functionDeclarations = [] }) => functionDeclarations),
      schema: generationConfig?.responseJsonSchema ?? generationConfig?.responseSchema,
      tokens: size,
    }
  },
  format: (received) => {
    const head = { modelVersion: received.model, responseId: newId('resp') }
    const chunk = (part: object): ServerEvent => ({
      data: { candidates: [{ content: content([part]), index: 0 }], ...head },
    })
    const finished = (parts: object[], blocks: readonly Block[]) => {
      const output = countTokens(JSON.stringify(blocks))
      const total = received.tokens + output
      return {
        candidates: [{ content: content(parts), finishReason: 'STOP', index: 0 }],
        usageMetadata: { promptTokenCount: received.tokens, candidatesTokenCount: output, totalTokenCount: total },
        ...head,
      }
    }
    return {
      begin: () => [],
      // Gemini streams a text in pieces, but a call in one.
      block: (block) => {
        const parts = block.type === 'call' ? [block] : splitBlock(block).map((text) => ({ ...block, text }))
        return { first: [], pieces: parts.map((part) => chunk(partFor(part))), last: [] }
      },
      end: (blocks) => [{ data: finished([{ text: '' }], blocks) }],
      whole: (blocks) => finished(blocks.map(partFor), blocks),
      failed: (error) => [{ data: errorBody(error) }],
    }
  },
  errorBody,
}
