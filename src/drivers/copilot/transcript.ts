import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { TurnBlock, TurnUsage } from '../../contract/turn.ts'
import { isObject, parseObject, textOf } from '../../base/util/json.ts'
import type { TranscriptFormat } from '../contract.ts'

type Json = Record<string, unknown>

/** What an entry is beyond its place. */
type Part = Pick<ConversationEntry, 'kind' | 'blocks'> &
  Partial<Pick<ConversationEntry, 'message' | 'calledBy' | 'isReply' | 'usage' | 'isInterrupt' | 'limit'>>

export const configDirectory = (env: NodeJS.ProcessEnv): string =>
  env['COPILOT_HOME'] || join(env['HOME'] || homedir(), '.copilot')

export const locate = (conversation: string, _cwd: string, env: NodeJS.ProcessEnv): string =>
  join(configDirectory(env), 'session-state', conversation, 'events.jsonl')

export const format: TranscriptFormat = {
  kind: 'lines',
  reader: () => {
    const reader = new EventReader()
    return (line) => reader.read(line)
  },
}

/** Written when Copilot has given up: what it tries again is not. When the limit is over it does not say. */
const limitErrors: readonly unknown[] = ['quota', 'rate_limit']

/** Each event names the one before it; most are no entries, so it is remembered which entry an event stands behind. */
class EventReader {
  readonly #places = new Map<string, { before: string | null; after: string | null }>()
  readonly #callers = new Map<string, string>()
  readonly #toolContexts: string[] = []
  #promptContext = ''
  #stopReason: string | null = null
  #usage: Json = {}

  read(line: string): ConversationEntry[] {
    const event = parseObject(line)
    const id = textOf(event?.id)
    if (event === null || id === null) return []
    const before = this.#placeBefore(event)
    const isOwn = event.agentId === undefined
    const entries = isOwn ? this.#entries(event, id, before) : []
    this.#places.set(id, { before, after: entries.at(-1)?.id ?? before })
    return entries
  }

  /** What follows a rewind hangs on what stood before the first event that was taken back. */
  #placeBefore(event: Json): string | null {
    const data = dataOf(event)
    if (event.type === 'session.snapshot_rewind') return this.#places.get(String(data.upToEventId))?.before ?? null
    return this.#places.get(String(event.parentId))?.after ?? null
  }

  #entries(event: Json, id: string, before: string | null): ConversationEntry[] {
    let parent = before
    return this.#parts(event, id).map((part, index) => {
      const entry = entryOf(event, index === 0 ? id : `${id}:context`, parent, part)
      parent = entry.id
      return entry
    })
  }

  #parts(event: Json, id: string): Part[] {
    const data = dataOf(event)
    switch (event.type) {
      case 'hook.end':
        return this.#hook(data)
      case 'session.usage_record':
        this.#usage = isObject(data.usage) ? data.usage : {}
        return []
      case 'user.message':
        return this.#prompt(data)
      case 'assistant.message':
        return [this.#reply(data, id)]
      case 'tool.execution_complete':
        return this.#result(data)
      case 'session.compaction_complete':
        return data.success === true ? [{ kind: 'compaction', blocks: [] }] : []
      case 'session.truncation':
      case 'session.context_cleared':
        return [{ kind: 'compaction', blocks: [] }]
      case 'system.notification':
        return [{ kind: 'other', blocks: textBlock(data.content) }]
      case 'session.error':
        return limitErrors.includes(data.errorType) ? [{ kind: 'other', blocks: [], limit: { until: null } }] : []
      case 'abort':
        return [{ kind: 'other', blocks: [], isInterrupt: true }]
      case 'session.snapshot_rewind':
      case 'session.info':
        return [{ kind: 'other', blocks: [] }]
      default:
        return []
    }
  }

  /** What hooks answered; context of a start or before a tool is forgotten at an interrupt, so it counts for nothing. */
  #hook({ hookType, output }: Json): Part[] {
    const answer = isObject(output) ? output : {}
    const context = textOf(answer.additionalContext) ?? ''
    if (hookType === 'userPromptSubmitted') this.#promptContext = context
    if (hookType === 'postToolUse' && context !== '') this.#toolContexts.push(context)
    if (hookType === 'agentStop') this.#stopReason = answer.decision === 'block' ? textOf(answer.reason) : null
    return []
  }

  #prompt(data: Json): Part[] {
    const content = textOf(data.content) ?? ''
    const context = this.#promptContext
    this.#promptContext = ''
    const hasContext = context !== '' && (textOf(data.transformedContent) ?? '').includes(context)
    const prompt: Part = { kind: this.#promptKind(data, content), blocks: textBlock(content) }
    return hasContext ? [prompt, contextPart('userPromptSubmitted', context)] : [prompt]
  }

  #promptKind(data: Json, content: string): ConversationEntry['kind'] {
    const isFeedback = content === this.#stopReason
    this.#stopReason = null
    if (isFeedback) return 'feedback'
    if (typeof data.source === 'string' || data.isAutopilotContinuation === true) return 'other'
    return data.delivery === 'steering' ? 'queued_prompt' : 'prompt'
  }

  /** The CLI writes calls in the model's name, too: those name no model. */
  #reply(data: Json, id: string): Part {
    this.#toolContexts.length = 0
    const calls = Array.isArray(data.toolRequests) ? data.toolRequests.filter(isObject).map(callBlock) : []
    for (const call of calls) this.#callers.set(call.id, id)
    const thinking = textOf(data.reasoningText)
    return {
      kind: 'assistant',
      blocks: [...(thinking ? [{ type: 'thinking' as const, thinking }] : []), ...textBlock(data.content), ...calls],
      message: textOf(data.apiCallId) ?? textOf(data.messageId),
      isReply: typeof data.model === 'string',
      usage: this.#usage.apiCallId === data.apiCallId ? usageOf(this.#usage) : null,
    }
  }

  /** What a hook added to the result stands at its end, behind a line of the CLI's own. */
  #result(data: Json): Part[] {
    const isError = data.success !== true
    const whole = isError
      ? textOf(isObject(data.error) ? data.error.message : null)
      : textOf(isObject(data.result) ? data.result.content : null)
    const call = String(data.toolCallId)
    const { text, context } = this.#split(whole ?? '')
    const result: Part = {
      kind: 'tool_result',
      blocks: [{ type: 'tool_result', id: call, text, isError }],
      calledBy: this.#callers.get(call) ?? null,
    }
    return context === null ? [result] : [result, contextPart('postToolUse', context)]
  }

  #split(whole: string): { text: string; context: string | null } {
    for (const [index, context] of this.#toolContexts.entries()) {
      const end = `Additional guidance from postToolUse hooks:\n${context}`
      if (!whole.endsWith(end)) continue
      this.#toolContexts.splice(index, 1)
      return { text: whole.slice(0, whole.lastIndexOf('\n\nTool "', whole.length - end.length)), context }
    }
    return { text: whole, context: null }
  }
}

const dataOf = ({ data }: Json): Json => (isObject(data) ? data : {})

const entryOf = (event: Json, id: string, parent: string | null, part: Part): ConversationEntry => ({
  message: null,
  calledBy: null,
  isReply: false,
  usage: null,
  ...part,
  id,
  parent,
  link: 'chain',
  at: Date.parse(String(event.timestamp)) || 0,
  text: part.blocks.map(readable).join('\n'),
  raw: event,
})

const contextPart = (source: string, text: string): Part => ({
  kind: 'hook_context',
  blocks: [{ type: 'context', source, text }],
})

const textBlock = (value: unknown): TurnBlock[] => {
  const text = textOf(value) ?? ''
  return text === '' ? [] : [{ type: 'text', text }]
}

const callBlock = (request: Json): Extract<TurnBlock, { type: 'tool_use' }> => ({
  type: 'tool_use',
  id: String(request.toolCallId),
  name: String(request.name),
  input: isObject(request.arguments) ? request.arguments : {},
})

const readable = (block: TurnBlock): string =>
  block.type === 'text' || block.type === 'tool_result' || block.type === 'context' ? block.text : ''

/** Tokens from a cache are among the input here. */
const usageOf = (usage: Json): TurnUsage => {
  const cacheTokens = Number(usage.cacheReadTokens ?? 0) + Number(usage.cacheWriteTokens ?? 0)
  return {
    inputTokens: Math.max(0, Number(usage.inputTokens ?? 0) - cacheTokens),
    cacheTokens,
    outputTokens: Number(usage.outputTokens ?? 0),
    model: textOf(usage.model),
  }
}
