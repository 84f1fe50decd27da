import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import { parseObject, textOf } from '../../base/util/json.ts'
import type { TranscriptFormat } from '../contract.ts'
import { asObject, type Json, listObjects } from '../json.ts'
import { readableText } from '../readable-text.ts'

/** What an entry is beyond its place. */
type Part = Pick<ConversationEntry, 'kind' | 'blocks'> &
  Partial<Pick<ConversationEntry, 'message' | 'calledBy' | 'isReply' | 'usage' | 'isInterrupt' | 'limit' | 'loggedOut'>>

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

/** Each event names the one before it; most are no entries, so the reader keeps the entry before each event. */
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
    // What follows a rewind hangs on what stood before the first event that was taken back.
    const before =
      (event.type === 'session.snapshot_rewind'
        ? this.#places.get(String(readData(event).upToEventId))?.before
        : this.#places.get(String(event.parentId))?.after) ?? null
    const isOwn = event.agentId === undefined
    let parent = before
    const entries = (isOwn ? this.#parts(event, id) : []).map((part, index): ConversationEntry => {
      const entry = {
        message: null,
        calledBy: null,
        isReply: false,
        usage: null,
        ...part,
        id: index === 0 ? id : `${id}:context`,
        parent,
        link: 'chain' as const,
        at: Date.parse(String(event.timestamp)) || 0,
        text: readableText(part.blocks),
        raw: event,
      }
      parent = entry.id
      return entry
    })
    this.#places.set(id, { before, after: entries.at(-1)?.id ?? before })
    return entries
  }

  #parts(event: Json, id: string): Part[] {
    const data = readData(event)
    switch (event.type) {
      case 'hook.end': {
        // An interrupt forgets the context of a start or of a tool that is about to run, so that context counts for nothing.
        const answer = asObject(data.output)
        const context = textOf(answer.additionalContext) ?? ''
        if (data.hookType === 'userPromptSubmitted') this.#promptContext = context
        if (data.hookType === 'postToolUse' && context !== '') this.#toolContexts.push(context)
        if (data.hookType === 'agentStop') this.#stopReason = answer.decision === 'block' ? textOf(answer.reason) : null
        return []
      }
      case 'session.usage_record':
        this.#usage = asObject(data.usage)
        return []
      case 'user.message': {
        const content = textOf(data.content) ?? ''
        const context = this.#promptContext
        this.#promptContext = ''
        const hasContext = context !== '' && (textOf(data.transformedContent) ?? '').includes(context)
        const isFeedback = content === this.#stopReason
        this.#stopReason = null
        const isOwn = typeof data.source === 'string' || data.isAutopilotContinuation === true
        const usual = isOwn ? 'other' : data.delivery === 'steering' ? 'queued_prompt' : 'prompt'
        const prompt: Part = { kind: isFeedback ? 'feedback' : usual, blocks: textBlock(content) }
        return hasContext ? [prompt, contextPart('userPromptSubmitted', context)] : [prompt]
      }
      case 'assistant.message':
        return [this.#reply(data, id)]
      case 'tool.execution_complete': {
        // A hook's addition is at the end of the result, after a line of the CLI's own.
        const isError = data.success !== true
        const whole = textOf(isError ? asObject(data.error).message : asObject(data.result).content) ?? ''
        const call = String(data.toolCallId)
        const lead = 'Additional guidance from postToolUse hooks:\n'
        const index = this.#toolContexts.findIndex((one) => whole.endsWith(`${lead}${one}`))
        const [context = null] = index < 0 ? [] : this.#toolContexts.splice(index, 1)
        const added =
          context === null ? -1 : whole.lastIndexOf('\n\nTool "', whole.length - lead.length - context.length)
        const text = context === null ? whole : whole.slice(0, added)
        const result: Part = {
          kind: 'tool_result',
          blocks: [{ type: 'tool_result', id: call, text, isError }],
          calledBy: this.#callers.get(call) ?? null,
        }
        return context === null ? [result] : [result, contextPart('postToolUse', context)]
      }
      case 'session.compaction_complete':
        return data.success === true ? [{ kind: 'compaction', blocks: [] }] : []
      case 'session.truncation':
      case 'session.context_cleared':
        return [{ kind: 'compaction', blocks: [] }]
      case 'system.notification':
        return [{ kind: 'other', blocks: textBlock(data.content) }]
      case 'session.error':
        if (limitErrors.includes(data.errorType)) return [{ kind: 'other', blocks: [], limit: { until: null } }]
        if (data.errorType !== 'authentication') return []
        return [{ kind: 'other', blocks: [], loggedOut: textOf(data.message) ?? '' }]
      case 'abort':
        return [{ kind: 'other', blocks: [], isInterrupt: true }]
      case 'session.snapshot_rewind':
      case 'session.info':
        return [{ kind: 'other', blocks: [] }]
      default:
        return []
    }
  }

  /** The CLI writes calls in the model's name, too: those name no model. */
  #reply(data: Json, id: string): Part {
    this.#toolContexts.length = 0
    const calls = listObjects(data.toolRequests).map((request) => ({
      type: 'tool_use' as const,
      id: String(request.toolCallId),
      name: String(request.name),
      input: asObject(request.arguments),
    }))
    for (const call of calls) this.#callers.set(call.id, id)
    const thinking = textOf(data.reasoningText)
    // Tokens from a cache are among the input here.
    const cacheTokens = Number(this.#usage.cacheReadTokens ?? 0) + Number(this.#usage.cacheWriteTokens ?? 0)
    return {
      kind: 'assistant',
      blocks: [...(thinking ? [{ type: 'thinking' as const, thinking }] : []), ...textBlock(data.content), ...calls],
      message: textOf(data.apiCallId) ?? textOf(data.messageId),
      isReply: typeof data.model === 'string',
      usage:
        this.#usage.apiCallId === data.apiCallId
          ? {
              inputTokens: Math.max(0, Number(this.#usage.inputTokens ?? 0) - cacheTokens),
              cacheTokens,
              outputTokens: Number(this.#usage.outputTokens ?? 0),
              model: textOf(this.#usage.model),
            }
          : null,
    }
  }
}

const readData = ({ data }: Json): Json => asObject(data)

const contextPart = (source: string, text: string): Part => ({
  kind: 'hook_context',
  blocks: [{ type: 'context', source, text }],
})

const textBlock = (value: unknown): TurnBlock[] => {
  const text = textOf(value) ?? ''
  return text === '' ? [] : [{ type: 'text', text }]
}
