import type { LiveEvent } from '../contract/live.ts'
import { isObject, textOf } from '../base/util/json.ts'
import { asObject, type Json, listObjects } from './json.ts'
import { LiveModel } from './live-model.ts'

export interface AcpLiveOptions {
  /** Which message carries a call's input: the call, or the update when it runs. */
  inputComes: 'with call' | 'with update'
  /** What the token count at the end of a turn covers: that turn, or the whole conversation. */
  tokensOf: 'turn' | 'conversation'
}

/** Turns updates of the Agent Client Protocol into live events; it may start at any update. */
export class AcpLive {
  readonly #options: AcpLiveOptions
  readonly #model = new LiveModel()
  #costUsd: number | undefined
  /** Calls already announced. */
  readonly #calls = new Set<string>()
  /** Those of them that have not ended. */
  readonly #open = new Set<string>()
  /** The next message starts another reply: the protocol does not say so, but a prompt or all results came before. */
  #isAsked = true
  #before = { inputTokens: 0, cacheTokens: 0, outputTokens: 0 }

  constructor(options: AcpLiveOptions) {
    this.#options = options
  }

  /** What belongs to the conversation that is open. */
  update(raw: Json, update: Json, model: string | null): LiveEvent[] {
    return [...this.#model.announce(model), ...(this.#updated(update) ?? [{ kind: 'other' as const, raw }])]
  }

  ended(result: Json, failure: string | null): LiveEvent[] {
    this.#calls.clear()
    this.#open.clear()
    this.#isAsked = true
    const reason = failure ?? String(result.stopReason)
    const isError = failure !== null || reason === 'refusal'
    return [...this.#used(result), { kind: 'ended', reason, isError, wasInterrupted: reason === 'cancelled' }]
  }

  /** Null for what has no meaning here. */
  #updated(update: Json): LiveEvent[] | null {
    const [text, cost] = [textOf(asObject(update.content).text) ?? '', asObject(update.cost)]
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return text === '' ? [] : this.#replied({ kind: 'text', text })
      case 'agent_thought_chunk':
        return text === '' ? [] : this.#replied({ kind: 'thinking', text })
      case 'tool_call':
        return this.#options.inputComes === 'with call' ? this.#called(update) : []
      case 'tool_call_update':
        return [...this.#called(update), ...this.#resulted(update)]
      case 'usage_update':
        // The size of the context, and the cost of the whole conversation.
        if (typeof cost.amount === 'number' && cost.currency === 'USD') this.#costUsd = cost.amount
        return [this.#usage({ inputTokens: Number(update.used ?? 0), outputTokens: 0 })]
      default:
        return update.sessionUpdate === 'user_message_chunk' ? [] : null
    }
  }

  #called({ toolCallId, kind, title, rawInput }: Json): LiveEvent[] {
    const id = String(toolCallId)
    if (this.#calls.has(id)) return []
    this.#calls.add(id)
    const input = isObject(rawInput) ? rawInput : { description: textOf(title) ?? '' }
    this.#open.add(id)
    return this.#replied({ kind: 'tool', id, name: textOf(kind) ?? 'tool', input, isSubagent: false })
  }

  #replied(event: LiveEvent): LiveEvent[] {
    const isNew = this.#isAsked
    this.#isAsked = false
    return isNew ? [{ kind: 'reply', told: 'begin' }, event] : [event]
  }

  #resulted({ toolCallId, status, content, rawOutput }: Json): LiveEvent[] {
    if (status !== 'completed' && status !== 'failed') return []
    const id = String(toolCallId)
    if (this.#open.delete(id)) this.#isAsked = this.#open.size === 0
    const said = listObjects(content).map((part) => textOf(asObject(part.content).text) ?? textOf(part.newText) ?? '')
    const text = said.join('\n') || (textOf(asObject(rawOutput).output) ?? '')
    return [{ kind: 'tool_result', id, text, isError: status === 'failed' }]
  }

  #usage(tokens: Pick<Tokens, 'inputTokens' | 'outputTokens'>): LiveEvent {
    const cost = this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }
    return { kind: 'usage', usage: { ...tokens, ...cost, model: this.#model.name } }
  }

  #used(result: Json): LiveEvent[] {
    const counted = readTokens(result)
    if (counted === null) return []
    const isTotal = this.#options.tokensOf === 'conversation'
    const tokens = isTotal
      ? {
          inputTokens: counted.inputTokens - this.#before.inputTokens,
          cacheTokens: counted.cacheTokens - this.#before.cacheTokens,
          outputTokens: counted.outputTokens - this.#before.outputTokens,
        }
      : counted
    this.#before = counted
    return [this.#usage(tokens)]
  }
}

type Tokens = Record<'inputTokens' | 'cacheTokens' | 'outputTokens', number>

/** As the protocol has them; Gemini has a place of its own. */
const readTokens = ({ usage, _meta }: Json): Tokens | null => {
  const quota = asObject(asObject(asObject(_meta).quota).token_count)
  if (isObject(usage))
    return {
      inputTokens: Number(usage.inputTokens ?? 0),
      cacheTokens: Number(usage.cachedReadTokens ?? 0) + Number(usage.cachedWriteTokens ?? 0),
      outputTokens: Number(usage.outputTokens ?? 0),
    }
  if (quota.input_tokens === undefined) return null
  return { inputTokens: Number(quota.input_tokens), cacheTokens: 0, outputTokens: Number(quota.output_tokens ?? 0) }
}
