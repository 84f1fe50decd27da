import type { LiveEvent } from '../../contract/live.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import { asObject, type Json, listObjects } from '../json.ts'
import { LiveModel } from '../live-model.ts'
import { resultText } from './transcript.ts'

/** Messages for the driving program; their meaning comes as a state or a prompt. */
const spoken = ['control_request', 'control_response', 'control_cancel_request']

/** Makes live events of stream-json; it may begin anywhere, also in the middle of a message. */
export class ClaudeLive {
  readonly #model = new LiveModel()
  /** The message that was counted last: it comes in pieces, and in whole blocks. */
  #message: unknown = null
  /** Kinds of blocks that came in pieces, and come once more as a whole. */
  readonly #streamed = new Set<unknown>()
  #inputTokens = 0
  #cacheTokens = 0
  #outputTokens = 0

  read(message: Json): LiveEvent[] {
    const isSubagent = textOf(message.parent_tool_use_id) !== null
    if (message.type === 'stream_event') return isSubagent ? [] : this.#piece(asObject(message.event))
    if (message.type === 'assistant') return this.#reply(asObject(message.message), isSubagent)
    if (message.type === 'user') {
      return listObjects(asObject(message.message).content)
        .filter(({ type }) => type === 'tool_result')
        .map((block) => ({
          kind: 'tool_result',
          id: String(block.tool_use_id),
          text: resultText(block.content),
          isError: block.is_error === true,
        }))
    }
    if (message.type === 'result') {
      // Its own sum says what the turn took; the cost is that of the process so far.
      const { usage, total_cost_usd: cost } = message
      this.#clear()
      this.#add(asObject(usage), true)
      const told = this.#usage(typeof cost === 'number' ? { costUsd: cost } : {})
      this.#clear()
      return [told, endIn(message)]
    }
    if (message.type === 'system' && message.subtype === 'init') return this.#model.announce(textOf(message.model))
    if (message.type === 'system' && message.subtype === 'background_tasks_changed')
      // Commands in the background may never end; sub-agents do.
      return [
        {
          kind: 'background',
          running: listObjects(message.tasks).filter(({ task_type }) => task_type === 'local_agent').length,
        },
      ]
    return spoken.includes(String(message.type)) ? [] : [{ kind: 'other', raw: message }]
  }

  #piece({ type, message, delta, usage }: Json): LiveEvent[] {
    if (type === 'message_start') {
      const begun = asObject(message)
      this.#add(asObject(begun.usage), false)
      return [...this.#counted(begun.id), ...this.#model.announce(textOf(begun.model))]
    }
    if (type === 'message_delta') {
      // Output is counted once a message is whole; its first figure is only a beginning.
      this.#outputTokens += Number(asObject(usage).output_tokens ?? 0)
      return [this.#usage()]
    }
    if (type !== 'content_block_delta' || !isObject(delta)) return []
    const text = textOf(delta.text) ?? textOf(delta.thinking)
    if (text === null) return []
    const kind = delta.type === 'thinking_delta' ? 'thinking' : 'text'
    this.#streamed.add(kind)
    return [{ kind, text }]
  }

  #counted(id: unknown): LiveEvent[] {
    if (id === this.#message) return []
    this.#message = id
    return [{ kind: 'reply', told: 'begin' }]
  }

  #add(usage: Json, isWhole: boolean): void {
    this.#inputTokens += Number(usage.input_tokens ?? 0)
    this.#cacheTokens += Number(usage.cache_read_input_tokens ?? 0) + Number(usage.cache_creation_input_tokens ?? 0)
    if (isWhole) this.#outputTokens += Number(usage.output_tokens ?? 0)
  }

  #usage(cost: { costUsd?: number } = {}): LiveEvent {
    const tokens = { inputTokens: this.#inputTokens, cacheTokens: this.#cacheTokens, outputTokens: this.#outputTokens }
    return { kind: 'usage', usage: { ...tokens, ...cost, model: this.#model.name } }
  }

  /** What a sub-agent says is for the agent that started it, which gets it as a result. */
  #reply({ id, model, content }: Json, isSubagent: boolean): LiveEvent[] {
    // What the CLI says in the place of the model is no reply.
    const counted = isSubagent || model === '<synthetic>' ? [] : this.#counted(id)
    const said = listObjects(content).flatMap((block): LiveEvent[] => {
      if (block.type === 'tool_use')
        return [
          { kind: 'tool', id: String(block.id), name: String(block.name), input: asObject(block.input), isSubagent },
        ]
      if (isSubagent || (block.type !== 'text' && block.type !== 'thinking')) return []
      const text = textOf(block.text) ?? textOf(block.thinking) ?? ''
      return this.#streamed.delete(block.type) || text === '' ? [] : [{ kind: block.type, text }]
    })
    return [...counted, ...said]
  }

  #clear(): void {
    this.#streamed.clear()
    this.#inputTokens = this.#cacheTokens = this.#outputTokens = 0
  }
}

/** A turn that was cut off is an error to the CLI. */
const endIn = ({ subtype, is_error: isError, result, terminal_reason: how }: Json): LiveEvent => {
  const wasInterrupted = textOf(how)?.startsWith('aborted') ?? false
  if (wasInterrupted) return { kind: 'ended', reason: String(how), isError: false, wasInterrupted }
  // The CLI reports an error of the model's service as a success, with the error as the result.
  const reason = isError === true && subtype === 'success' ? textOf(result)?.split('\n')[0] || 'error' : String(subtype)
  return { kind: 'ended', reason, isError: isError === true || subtype !== 'success', wasInterrupted }
}
