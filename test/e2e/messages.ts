import { expect } from 'vitest'
import type { SimRequest } from '../../src/sim/recorder.ts'

type Json = Record<string, unknown>

/** Text that a CLI makes anew at each start, says when and where that was, or never writes down (Claude Code 2.1.9). */
const passing = [
  /<current_datetime>[^<]*/g,
  /<session_context>[^]*?<\/session_context>/g,
  /session-state\/[0-9a-f-]{36}/g,
  /\{"type":"text","text":"<system-reminder>[^]*?<\/system-reminder>(\\n)*"\},?/g,
]

/** What goes along with a message beside its text: marks for the cache, fields of the API, the thinking that Copilot drops. */
const beside = ['cache_control', 'refusal', '__copilotMessageSource', 'reasoning_content', 'thoughtSignature', 'id']

const listOf = (body: Json): Json[] => (body.messages ?? body.input ?? body.contents) as Json[]

/** One message of a request, its text as a block, as it is where a mark for the cache was. */
const shown = (message: Json): unknown => {
  const { content } = message
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const text = JSON.stringify(
    content === undefined ? message : { ...message, content: blocks },
    (key, value: unknown) => (beside.includes(key) ? undefined : value),
  )
  return JSON.parse(passing.reduce((one, pattern) => one.replaceAll(pattern, ''), text).replaceAll(',]', ']'))
}

/** What the model got, message for message. */
export const messagesOf = ({ body }: SimRequest): unknown[] => listOf(body as Json).map(shown)

/** All that came before the prompt is what it was, message for message; at least so many came. */
export const expectSame = (request: SimRequest, original: SimRequest, prompt: string, least = 1): void => {
  const [got, was] = [messagesOf(request), messagesOf(original)]
  const hasPrompt = (message: unknown): boolean => JSON.stringify(message).includes(JSON.stringify(prompt).slice(1, -1))
  const end = was.findLastIndex(hasPrompt)
  expect(end).toBeGreaterThanOrEqual(least)
  expect(got.slice(0, end)).toEqual(was.slice(0, end))
  expect(hasPrompt(got[end])).toBe(true)
}
