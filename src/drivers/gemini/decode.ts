import type { Question } from '../../contract/agent.ts'
import type { HookCall, HookEvent } from '../../contract/hooks.ts'
import { textOf as text } from '../../base/util/json.ts'
import type { HookMeta } from '../contract.ts'
import { findEvent, hashQuestion } from '../hook-calls.ts'
import { asObject, type Json } from '../json.ts'
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
  const raw = asObject(payload)
  const question = readQuestion(raw)
  // Rein's own words at a stop come back as a prompt: nothing new is added to them.
  const isReturned = meta.native === 'BeforeAgent' && isGoOn(text(raw.prompt) ?? '')
  const [name, input, response] = [text(raw.tool_name), asObject(raw.tool_input), raw.tool_response]
  return {
    driver: 'gemini',
    event: question !== null ? 'permission' : isReturned ? 'other' : findEvent(events, meta.native),
    native: meta.native,
    agent: meta.agent,
    pid: meta.pid,
    conversation: text(raw.session_id) ?? meta.conversation,
    // At a resume, the start hook names a file that stays empty.
    transcript: raw.source === 'resume' ? null : text(raw.transcript_path),
    cwd: text(raw.cwd),
    subagent: null,
    tools: name === null ? [] : [{ id: null, name, input, ...(response === undefined ? {} : { response }) }],
    prompt: text(raw.prompt),
    source: text(raw.source) ?? text(raw.trigger) ?? text(raw.reason),
    question,
    raw: payload,
  }
}

const kinds: Record<string, Question['kind']> = { exit_plan_mode: 'plan', ask_user: 'question' }

/** The CLI only reports that it asks a person, and takes no answer here. */
const readQuestion = (raw: Json): Question | null => {
  if (raw.notification_type !== 'ToolPermission') return null
  const details = asObject(raw.details)
  const tool = text(details.type) ?? 'tool'
  const id = hashQuestion(JSON.stringify(details))
  const title = text(details.title) ?? 'Permission'
  const subject = text(details.command) ?? text(details.filePath) ?? text(details.toolDisplayName)
  return {
    id,
    kind: kinds[tool] ?? 'permission',
    tool,
    // Details may hold whole files: only what identifies the question is kept.
    input: Object.fromEntries(
      Object.entries({
        command: details.command,
        file_path: details.filePath,
        tool: details.toolName,
        prompt: details.prompt,
      }).filter(([, value]) => typeof value === 'string'),
    ),
    summary: subject === null ? title : `${title}: ${subject}`,
  }
}
