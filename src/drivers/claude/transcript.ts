import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { HostKind } from '../../contract/agent.ts'
import type { ConversationEntry, EntryKind } from '../../contract/conversation.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import { isObject, parseObject, textOf } from '../../base/util/json.ts'
import type { TranscriptFormat } from '../contract.ts'
import { asObject, type Json, listObjects } from '../json.ts'
import { uuid } from '../launch-options.ts'
import { readableText } from '../readable-text.ts'
import { readBackground } from './background.ts'
import { findLimit } from './limit.ts'
import { findLoggedOut } from './logged-out.ts'

/** `<config>/projects/<cwd, everything but letters and digits as a dash>/<conversation>.jsonl` */
export const locate = (conversation: string, cwd: string, env: NodeJS.ProcessEnv): string =>
  join(configDirectory(env), 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'), `${conversation}.jsonl`)

export const configDirectory = (env: NodeJS.ProcessEnv): string =>
  env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), '.claude')

/** By its id in any directory, or by its title in this one. A terminal searches for any other text. */
export const isKnown = (name: string, cwd: string, env: NodeJS.ProcessEnv, host: HostKind): boolean => {
  const here = dirname(locate(name, cwd, env))
  if (listPaths(dirname(here)).some((project) => existsSync(join(project, `${name}.jsonl`)))) return true
  if (uuid.test(name) || host !== 'stream') return !uuid.test(name)
  const title = `title":${JSON.stringify(name)}`.toLowerCase()
  const transcripts = listPaths(here).filter((path) => path.endsWith('.jsonl'))
  return transcripts.some((path) => readFileSync(path, 'utf8').toLowerCase().includes(title))
}

const listPaths = (directory: string): string[] =>
  existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : []

/** Every line is independent: its links say what it belongs to. */
export const format: TranscriptFormat = {
  kind: 'lines',
  reader: () => (line) => {
    const entry = parse(line)
    return entry === null ? [] : [entry]
  },
}

/** `<conversation>/subagents/agent-<id>.jsonl`, in which every line is marked as not of the main conversation. */
export const subagents = {
  files: (transcript: string): string[] => {
    const dir = join(transcript.replace(/\.jsonl$/, ''), 'subagents')
    const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.jsonl')) : []
    return names.map((name) => join(dir, name))
  },
  reader:
    () =>
    (line: string): ConversationEntry[] => {
      const entry = toEntry({ ...parseObject(line), isSidechain: false })
      return entry === null ? [] : [entry]
    },
}

export const parse = (line: string): ConversationEntry | null => {
  const raw = parseObject(line)
  return raw === null ? null : toEntry(raw)
}

/** Null for lines that are no entry of the main conversation: queue notes, snapshots, titles, sub-agents. */
export const toEntry = (raw: Json): ConversationEntry | null => {
  if (typeof raw.uuid !== 'string' || raw.isSidechain === true) return null
  const message = asObject(raw.message)
  const { usage } = message
  const kind = kindOf(raw, message)
  const blocks = raw.type === 'attachment' ? readAttachment(raw, kind) : contentOf(message).map(toTurnBlock)
  const at = Date.parse(String(raw.timestamp)) || 0
  const isNote = raw.type === 'system' && kind !== 'compaction'
  const error = raw.isApiErrorMessage === true ? raw.error : null
  const said = plainText(message)
  const limit = findLimit(error, said, at)
  const loggedOut = findLoggedOut(error, said)
  return {
    id: raw.uuid,
    parent: typeof raw.parentUuid === 'string' ? raw.parentUuid : null,
    link: raw.type === 'attachment' || raw.type === 'progress' ? raw.type : isNote ? 'note' : 'chain',
    kind,
    at,
    message: raw.type === 'assistant' && typeof message.id === 'string' ? message.id : null,
    calledBy: typeof raw.sourceToolAssistantUUID === 'string' ? raw.sourceToolAssistantUUID : null,
    isReply: kind === 'assistant' && raw.isApiErrorMessage !== true && message.model !== '<synthetic>',
    text: readableText(blocks),
    blocks,
    usage: isObject(usage)
      ? {
          inputTokens: Number(usage.input_tokens ?? 0),
          cacheTokens: Number(usage.cache_read_input_tokens ?? 0) + Number(usage.cache_creation_input_tokens ?? 0),
          outputTokens: Number(usage.output_tokens ?? 0),
          model: textOf(message.model),
        }
      : null,
    ...(limit === null ? {} : { limit }),
    ...(loggedOut === null ? {} : { loggedOut }),
    ...(kind === 'other' && said.startsWith(interruptMark) ? { isInterrupt: true } : {}),
    ...(kind === 'other' && said.startsWith(loginMark) ? { isLogin: true } : {}),
    ...readBackground(raw),
    raw,
  }
}

const kindOf = (raw: Json, message: Json): EntryKind => {
  if (raw.type === 'assistant') return 'assistant'
  if (raw.type === 'attachment') {
    const type = isObject(raw.attachment) ? raw.attachment.type : null
    if (type === 'hook_additional_context') return 'hook_context'
    return type === 'queued_command' ? 'queued_prompt' : 'other'
  }
  if (raw.type === 'system') return raw.subtype === 'compact_boundary' ? 'compaction' : 'other'
  if (raw.type !== 'user') return 'other'
  if (contentOf(message).some((block) => block.type === 'tool_result')) return 'tool_result'
  const text = plainText(message)
  if (raw.isMeta === true) return text.startsWith('Stop hook feedback:') ? 'feedback' : 'other'
  // The CLI writes these itself, under the user's name.
  const isMarker = /^(\[Request interrupted by user|<local-command-|<command-name>|<bash-)/.test(text.trimStart())
  return raw.isCompactSummary === true || isMarker ? 'other' : 'prompt'
}

const interruptMark = '[Request interrupted by user'
/** What `/login` printed; where a key from the environment still counts, it says so in other words. */
const loginMark = '<local-command-stdout>Login successful'

const contentOf = (message: Json): Json[] => {
  if (typeof message.content === 'string') return [{ type: 'text', text: message.content }]
  return listObjects(message.content)
}

const plainText = (message: Json): string =>
  contentOf(message)
    .filter((block) => block.type === 'text')
    .map((block) => String(block.text))
    .join('\n')

const readAttachment = (raw: Json, kind: EntryKind): TurnBlock[] => {
  const attachment = asObject(raw.attachment)
  if (kind === 'hook_context') {
    const parts = Array.isArray(attachment.content)
      ? attachment.content.map(String)
      : [textOf(attachment.content) ?? '']
    return parts.map((text) => ({ type: 'context', source: textOf(attachment.hookEvent) ?? '', text }))
  }
  // Plain text that a hook printed also goes to the model; its JSON output has an entry of its own.
  const printed = attachment.type === 'hook_success' ? (textOf(attachment.content) ?? '') : ''
  if (printed !== '') return [{ type: 'context', source: textOf(attachment.hookEvent) ?? '', text: printed }]
  if (kind === 'queued_prompt') return [{ type: 'text', text: textOf(attachment.prompt) ?? '' }]
  return []
}

const toTurnBlock = (block: Json): TurnBlock => {
  if (block.type === 'text') return { type: 'text', text: String(block.text) }
  if (block.type === 'thinking') return { type: 'thinking', thinking: String(block.thinking) }
  if (block.type === 'tool_use') {
    return {
      type: 'tool_use',
      id: String(block.id),
      name: String(block.name),
      input: asObject(block.input),
    }
  }
  if (block.type === 'tool_result') {
    return {
      type: 'tool_result',
      id: String(block.tool_use_id),
      text: resultText(block.content),
      isError: block.is_error === true,
    }
  }
  return { type: 'other', raw: block }
}

export const resultText = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .filter(isObject)
    .map((part) => (part.type === 'text' ? String(part.text) : `[${String(part.type)}]`))
    .join('\n')
}
