import { z } from 'zod'
import { PermanentError, RetryError } from './sdk/adapter.ts'
import { messageOf } from './sdk/retry.ts'
import { isObject, textOf } from '../base/util/json.ts'

/** One call of the Bot API; `limitMs` is how long it may take. */
export type Call = (method: string, params: object, limitMs: number, signal: AbortSignal) => Promise<unknown>

const Message = z.object({
  message_id: z.int(),
  date: z.number(),
  text: z.string().optional(),
  caption: z.string().optional(),
  chat: z.object({ id: z.int() }),
  from: z.object({ id: z.int(), username: z.string().optional() }),
})

/** An update that is no message with an author has no `message`. */
export const Update = z.object({ update_id: z.int(), message: Message.optional().catch(undefined) })
export type Update = z.infer<typeof Update>

/** The token is part of every address, so no error leaves here with it. */
export const botApi =
  (base: string, token: string): Call =>
  async (method, params, limitMs, signal) => {
    const unreachable = (cause: unknown): never => {
      const reason = messageOf(isObject(cause) ? (cause['cause'] ?? cause) : cause)
      throw new Error(`Telegram cannot be reached: ${reason.replaceAll(token, '…')}.`)
    }
    const response = await fetch(`${base}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(params),
      signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
    }).catch(unreachable)
    const answer: unknown = await response.json().catch(unreachable)
    if (isObject(answer) && answer['ok'] === true) return answer['result']
    const { status } = response
    const { description, parameters } = isObject(answer) ? answer : {}
    const reason = `Telegram refuses ${method}: ${textOf(description) ?? `status ${status}`}.`
    const seconds = isObject(parameters) ? parameters['retry_after'] : undefined
    if (typeof seconds === 'number') throw new RetryError(reason, seconds * 1000)
    // 409: another program reads for this bot, and may end. 401: a message is not to blame for the token.
    const isPassing = status >= 500 || status === 409 || status === 429 || (status === 401 && method === 'sendMessage')
    throw isPassing ? new Error(reason) : new PermanentError(reason)
  }

const longestText = 4096

/** At line ends where there are any, and never within a character. */
export const splitText = (text: string): string[] => {
  const parts: string[] = []
  let rest = text
  while (rest.length > longestText) {
    const lineEnd = rest.lastIndexOf('\n', longestText)
    const isWithinPair = /[\uD800-\uDBFF]/.test(rest[longestText - 1] ?? '')
    const cut = lineEnd > 0 ? lineEnd : longestText - Number(isWithinPair)
    parts.push(rest.slice(0, cut))
    rest = rest.slice(lineEnd > 0 ? cut + 1 : cut)
  }
  return [...parts, rest].filter((part) => part.trim() !== '')
}
