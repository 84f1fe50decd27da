import type { LiveEvent } from '../../contract/live.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import { asObject, type Json, listObjects } from '../json.ts'
import { LiveModel } from '../live-model.ts'
import { withoutShell } from './approval.ts'

/** By which messages a piece of an item's text comes. */
const pieces: Partial<Record<string, 'text' | 'thinking'>> = {
  'item/agentMessage/delta': 'text',
  'item/reasoning/summaryTextDelta': 'thinking',
  'item/reasoning/textDelta': 'thinking',
}

/** Items that say nothing new: the prompt is known by then, and a message begins empty. */
const quiet: readonly unknown[] = ['userMessage', 'hookPrompt', 'agentMessage', 'reasoning']

/** Turns messages of the app-server into live events; it may start at any message. */
export class CodexLive {
  readonly #model = new LiveModel()
  /** Items whose text came in pieces, and comes once more as a whole. */
  readonly #streamed = new Set<string>()
  #tokens = { inputTokens: 0, cacheTokens: 0, outputTokens: 0 }

  /** `thread` is the agent's own: others are those of its sub-agents. */
  read(message: Json, thread: string | null, model: string | null): LiveEvent[] {
    const method = textOf(message.method)
    // Answers to what was asked, and questions, which are a state.
    if (method === null || message.id !== undefined) return []
    const params = asObject(message.params)
    const isOwn = params.threadId === undefined || params.threadId === thread
    const told = this.#notified(method, params, isOwn) ?? [{ kind: 'other', raw: message }]
    return isOwn
      ? [...this.#model.announce(model), ...told]
      : told.filter(({ kind }) => kind === 'tool' || kind === 'tool_result')
  }

  /** Null for what has no meaning here. */
  #notified(method: string, params: Json, isOwn: boolean): LiveEvent[] | null {
    const kind = pieces[method]
    if (kind !== undefined) {
      this.#streamed.add(String(params.itemId))
      return [{ kind, text: String(params.delta) }]
    }
    if (method === 'item/started') {
      const item = asObject(params.item)
      if (quiet.includes(item.type)) return []
      const tool = readTool(item)
      return tool === null ? null : [{ kind: 'tool', id: String(item.id), ...tool, isSubagent: !isOwn }]
    }
    if (method === 'item/completed') return this.#completed(asObject(params.item))
    if (method === 'thread/tokenUsage/updated' && isOwn) {
      // Sent once per reply, at its end. Codex counts cached tokens as input.
      const { inputTokens, cachedInputTokens, outputTokens } = asObject(asObject(params.tokenUsage).last)
      const cached = Number(cachedInputTokens ?? 0)
      this.#tokens.inputTokens += Number(inputTokens ?? 0) - cached
      this.#tokens.cacheTokens += cached
      this.#tokens.outputTokens += Number(outputTokens ?? 0)
      return [
        { kind: 'reply', told: 'end' },
        { kind: 'usage', usage: { ...this.#tokens, model: this.#model.name } },
      ]
    }
    if (method !== 'turn/completed') return null
    const { status, error } = asObject(params.turn)
    this.#streamed.clear()
    this.#tokens = { inputTokens: 0, cacheTokens: 0, outputTokens: 0 }
    const why = isObject(error) ? `: ${String(error.message)}` : ''
    const wasInterrupted = status === 'interrupted'
    return [{ kind: 'ended', reason: `${String(status)}${why}`, isError: status === 'failed', wasInterrupted }]
  }

  #completed(item: Json): LiveEvent[] | null {
    const { type, id } = item
    if (type !== 'agentMessage' && type !== 'reasoning') return resultIn(item)
    if (this.#streamed.delete(String(id))) return []
    const text = textOf(item.text) ?? (Array.isArray(item.summary) ? item.summary.join('\n') : '')
    return text === '' ? [] : [{ kind: type === 'reasoning' ? 'thinking' : 'text', text }]
  }
}

/** As questions name them. */
const readTool = (item: Json): { name: string; input: Json } | null => {
  switch (item.type) {
    case 'commandExecution':
      return { name: 'Bash', input: { command: withoutShell(String(item.command)), cwd: item.cwd } }
    case 'fileChange': {
      const changes = listObjects(item.changes)
      const [paths, diffs] = [changes.map(({ path }) => String(path)), changes.map(({ diff }) => textOf(diff) ?? '')]
      return { name: 'apply_patch', input: { path: paths.join(', '), diff: diffs.join('\n') } }
    }
    case 'mcpToolCall':
      return { name: `mcp__${String(item.server)}__${String(item.tool)}`, input: asObject(item.arguments) }
    case 'webSearch':
      return { name: 'web_search', input: { query: item.query } }
    case 'collabAgentToolCall':
      return { name: String(item.tool), input: { prompt: item.prompt } }
    default:
      return null
  }
}

const resultIn = (item: Json): LiveEvent[] | null => {
  if (quiet.includes(item.type)) return []
  if (readTool(item) === null) return null
  const { type, status, aggregatedOutput, result, error } = item
  const said =
    type === 'mcpToolCall'
      ? listObjects(asObject(result).content).map(({ text }) => textOf(text) ?? '')
      : [textOf(aggregatedOutput) ?? '']
  const text = isObject(error) ? String(error.message) : said.join('\n') || String(status)
  return [{ kind: 'tool_result', id: String(item.id), text, isError: status === 'failed' || status === 'declined' }]
}
