import { createHash } from 'node:crypto'
import type { Question } from '../../contract/agent.ts'
import type { HookCall, HookEvent, ToolCall } from '../../contract/hooks.ts'
import { isObject, textOf as text } from '../../base/util/json.ts'
import type { HookMeta } from '../contract.ts'
import { isGoOn } from './hook-text.ts'

const events: Record<string, HookEvent> = {
  SessionStart: 'session_start',
  BeforeAgent: 'prompt',
  BeforeTool: 'before_tool',
  AfterTool: 'after_tool',
  AfterAgent: 'stop',
  PreCompress: 'before_compact',
  SessionEnd: 'session_end',
  Notification: 'notification',
}

/** Any hook call of any version: known fields are read leniently, the rest stays in `raw`. */
export const decode = (payload: unknown, meta: HookMeta): HookCall => {
  const raw = isObject(payload) ? payload : {}
  const question = askedIn(raw)
  return {
    driver: 'gemini',
    event: question === null ? eventOf(raw, meta.native) : 'permission',
    native: meta.native,
    agent: meta.agent,
    pid: meta.pid,
    conversation: text(raw.session_id) ?? meta.conversation,
    transcript: transcriptOf(raw),
    cwd: text(raw.cwd),
    subagent: null,
    tools: toolsOf(raw),
    prompt: text(raw.prompt),
    source: text(raw.source) ?? text(raw.trigger) ?? text(raw.reason),
    question,
    raw: payload,
  }
}

/** When a conversation is resumed, the start names a file that stays empty. */
const transcriptOf = (raw: Record<string, unknown>): string | null =>
  raw.source === 'resume' ? null : text(raw.transcript_path)

/** What Rein said at a stop comes back as a prompt: nothing new is to be added to it. */
const eventOf = (raw: Record<string, unknown>, native: string): HookEvent => {
  if (native === 'BeforeAgent' && isGoOn(text(raw.prompt) ?? '')) return 'other'
  return Object.hasOwn(events, native) ? (events[native] ?? 'other') : 'other'
}

const toolsOf = (raw: Record<string, unknown>): ToolCall[] => {
  const name = text(raw.tool_name)
  if (name === null) return []
  const input = isObject(raw.tool_input) ? raw.tool_input : {}
  return [{ id: null, name, input, ...(raw.tool_response === undefined ? {} : { response: raw.tool_response }) }]
}

const kinds: Record<string, Question['kind']> = { exit_plan_mode: 'plan', ask_user: 'question' }

/** A person is asked: the CLI only tells it, and takes no answer here. */
const askedIn = (raw: Record<string, unknown>): Question | null => {
  if (raw.notification_type !== 'ToolPermission') return null
  const details = isObject(raw.details) ? raw.details : {}
  const tool = text(details.type) ?? 'tool'
  const id = createHash('sha256').update(JSON.stringify(details)).digest('hex').slice(0, 16)
  return { id, kind: kinds[tool] ?? 'permission', tool, input: inputOf(details), summary: summaryOf(details) }
}

/** Whole files may stand there too: what is enough to know what is asked is taken. */
const inputOf = ({ command, filePath, toolName, prompt }: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ command, file_path: filePath, tool: toolName, prompt }).filter(
      ([, value]) => typeof value === 'string',
    ),
  )

const summaryOf = (details: Record<string, unknown>): string => {
  const title = text(details.title) ?? 'Permission'
  const subject = text(details.command) ?? text(details.filePath) ?? text(details.toolDisplayName)
  return subject === null ? title : `${title}: ${subject}`
}
