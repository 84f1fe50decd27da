import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ConversationEntry, EntryKind } from '../../contract/conversation.ts'
import type { TurnUsage } from '../../contract/turn.ts'
import { isObject, parseObject, textOf } from '../../base/util/json.ts'
import type { TranscriptFormat } from '../contract.ts'
import { listNames } from '../files.ts'
import { asObject, type Json, listObjects } from '../json.ts'
import { saysLoggedOut } from '../stream-events.ts'
import { blocksOf, itemText, outputOf } from './items.ts'
import { findLimit, findReset } from './limit.ts'
import { endedCommand } from './shell.ts'

/** The newest file of a conversation: it is written from the first turn on. */
export const locate = (conversation: string, _: string, env: NodeJS.ProcessEnv): string | null =>
  findFiles(conversation, join(homeOf(env), 'sessions')).next().value ?? null

export const homeOf = (env: NodeJS.ProcessEnv): string => env['CODEX_HOME'] ?? join(env['HOME'] ?? homedir(), '.codex')

/**
 * `<sessions>/<year>/<month>/<day>/rollout-<time>-<conversation>[_<id>].jsonl`, newest first: going back to an earlier
 * prompt begins another file of the same conversation.
 */
export function* findFiles(conversation: string, directory: string, depth = 3): Generator<string, undefined> {
  for (const name of listNames(directory).toReversed()) {
    if (depth > 0) yield* findFiles(conversation, join(directory, name), depth - 1)
    else if (name.endsWith('.jsonl') && name.includes(`-${conversation}`)) yield join(directory, name)
  }
}

export const format: TranscriptFormat = {
  kind: 'lines',
  reader: () => {
    const reader = new Reader()
    return (line) => reader.read(line)
  },
}

/** Each entry follows the one before: what is written goes to the model with its next request, also after a crash. */
class Reader {
  #line = 0
  #last: string | null = null
  /** The first item of the reply that the model is writing. */
  #reply: string | null = null
  /** The newest item of a reply waits for the reply's token count, which is in the next line. */
  #held: ConversationEntry | null = null
  #model: string | null = null
  #window: number | null = null
  readonly #calls = new Map<string, string>()
  #resetsAt: number | null = null

  read(line: string): ConversationEntry[] {
    this.#line += 1
    const raw = parseObject(line)
    if (raw === null) return []
    const payload = asObject(raw.payload)
    if (raw.type === 'token_usage_record') {
      const { usage } = payload
      // Codex counts cached tokens as input.
      const cacheTokens = Number(asObject(usage).cached_input_tokens ?? 0)
      const inputTokens = Number(asObject(usage).input_tokens ?? 0) - cacheTokens
      const outputTokens = Number(asObject(usage).output_tokens ?? 0)
      const window = this.#window === null ? {} : { window: this.#window }
      const tokens = { inputTokens, cacheTokens, outputTokens, model: this.#model, ...window }
      return this.#endReply(isObject(usage) ? tokens : null)
    }
    if (raw.type === 'turn_context') this.#model = textOf(payload.model)
    if (raw.type === 'compacted') return [...this.#endReply(null), this.#entry('compaction', raw, payload)]
    if (raw.type === 'response_item') {
      const kind = kindOf(payload)
      // The results are written when the reply is complete; what hooks say about a tool may come before its other calls.
      const before = kind === 'tool_result' || kind === 'prompt' ? this.#endReply(null) : this.#release()
      const entry = this.#entry(kind, raw, payload)
      if (kind !== 'assistant') return [...before, entry]
      this.#held = entry
      return before
    }
    return raw.type === 'event_msg' ? this.#event(raw, payload) : this.#release()
  }

  #event(raw: Json, payload: Json): ConversationEntry[] {
    // Both the start of a turn and the token count name the window.
    const told = payload.model_context_window ?? (isObject(payload.info) ? payload.info.model_context_window : null)
    this.#window = (typeof told === 'number' && told > 0 ? told : null) ?? this.#window
    if (payload.type === 'token_count') this.#resetsAt = findReset(payload.rate_limits)
    if (endedCommand(raw) !== null) {
      // The note is not for the model: the next entry follows the one before it.
      const [before, last] = [this.#release(), this.#last]
      const entry = this.#entry('other', raw, {})
      this.#last = last
      return [...before, { ...entry, link: 'progress' }]
    }
    if (!turnEnds.includes(payload.type)) return this.#release()
    const limit = findLimit(payload.error, Date.parse(String(raw.timestamp)), this.#resetsAt)
    const said = textOf(asObject(payload.error).message) ?? ''
    const news = limit !== null ? { limit } : saysLoggedOut(said) ? { loggedOut: said } : null
    const note = news === null ? [] : [{ ...this.#entry('other', raw, {}), ...news }]
    return [...this.#endReply(null), ...note]
  }

  #entry(kind: EntryKind, raw: Json, payload: Json): ConversationEntry {
    const id = `${String(raw.timestamp)}#${this.#line}`
    if (kind === 'assistant') this.#reply ??= id
    const blocks = blocksOf(kind, payload)
    for (const block of blocks) if (block.type === 'tool_use') this.#calls.set(block.id, id)
    // What the model wrote to make a compaction is no answer to anything in it.
    const entry: ConversationEntry = {
      id,
      parent: this.#last,
      link: 'chain',
      kind,
      at: Date.parse(String(raw.timestamp)) || 0,
      message: kind === 'assistant' ? this.#reply : null,
      calledBy: kind === 'tool_result' ? (this.#calls.get(String(payload.call_id)) ?? null) : null,
      isReply: kind === 'assistant' && !(isObject(raw.metadata) && raw.metadata.compaction_output === true),
      text: kind === 'tool_result' ? outputOf(payload) : itemText(kind, payload),
      blocks,
      usage: null,
      ...(kind === 'other' && itemText(kind, payload).startsWith('<turn_aborted>') ? { isInterrupt: true } : {}),
      raw,
    }
    this.#last = id
    return entry
  }

  #endReply(usage: TurnUsage | null): ConversationEntry[] {
    if (this.#held !== null) this.#held = { ...this.#held, usage }
    this.#reply = null
    return this.#release()
  }

  #release(): ConversationEntry[] {
    const held = this.#held === null ? [] : [this.#held]
    this.#held = null
    return held
  }
}

const turnEnds: readonly unknown[] = ['task_started', 'task_complete', 'turn_aborted']

const kindOf = (payload: Json): EntryKind => {
  const type = textOf(payload.type) ?? ''
  if (type === 'message') {
    if (payload.role === 'assistant') return 'assistant'
    // Who wrote it: a person, or Codex itself, on its own account or for a hook.
    const [first] = listObjects(asObject(payload.internal_chat_message_metadata_passthrough).content_item_metadata)
    const from = asObject(first?.provenance)
    if (from.hook === true) return payload.role === 'user' ? 'feedback' : 'hook_context'
    return payload.role === 'user' && from.type === 'user' ? 'prompt' : 'other'
  }
  if (type === 'reasoning' || type.endsWith('_call')) return 'assistant'
  return type.endsWith('_output') ? 'tool_result' : 'other'
}
