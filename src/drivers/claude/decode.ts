import type { HookCall, HookEvent, ToolCall } from '../../contract/hooks.ts'
import { textOf as text } from '../../base/util/json.ts'
import type { HookMeta } from '../contract.ts'
import { findEvent, hashQuestion } from '../hook-calls.ts'
import { asObject, type Json, listObjects } from '../json.ts'
import { findLimit } from './limit.ts'
import { findLoggedOut } from './logged-out.ts'
import { questionOf } from './question.ts'

const events: Record<string, HookEvent> = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'before_tool',
  PostToolUse: 'after_tool',
  PostToolUseFailure: 'after_tool',
  PostToolBatch: 'after_batch',
  PermissionRequest: 'permission',
  Stop: 'stop',
  StopFailure: 'stop_failed',
  SubagentStart: 'subagent_start',
  SubagentStop: 'subagent_stop',
  PreCompact: 'before_compact',
  PostCompact: 'after_compact',
  SessionEnd: 'session_end',
  Notification: 'notification',
}

/** Any hook call of any version: known fields are read leniently, the rest stays in `raw`. */
export const decode = (payload: unknown, meta: HookMeta, now = Date.now()): HookCall => {
  const raw = asObject(payload)
  const mode = text(raw.permission_mode)
  // The leader's own start and stop of a sub-agent carry its id too, yet they are the leader's calls.
  const agent = meta.native === 'SubagentStart' || meta.native === 'SubagentStop' ? null : text(raw.agent_id)
  const subagent = agent === null ? null : { id: agent, type: text(raw.agent_type) ?? '' }
  const ownTool = text(raw.tool_name) === null ? [] : [raw]
  const { id, name, input } = readTool(raw)
  const hashed = (): string => hashQuestion(`${name} ${JSON.stringify(input)}`)
  const said = text(raw.last_assistant_message) ?? ''
  // In a failed tool call the error is what the tool said.
  const error = meta.native === 'StopFailure' ? raw.error : undefined
  const limit = findLimit(error, said, now)
  const loggedOut = findLoggedOut(error, said)
  return {
    driver: 'claude',
    event: findEvent(events, meta.native),
    native: meta.native,
    agent: meta.agent,
    pid: meta.pid,
    conversation: text(raw.session_id) ?? meta.conversation,
    transcript: text(raw.transcript_path),
    cwd: text(raw.cwd),
    subagent,
    tools: (Array.isArray(raw.tool_calls) ? listObjects(raw.tool_calls) : ownTool).map(readTool),
    prompt: text(raw.prompt),
    source: text(raw.source) ?? text(raw.trigger) ?? text(raw.reason),
    question: meta.native === 'PermissionRequest' ? questionOf(id ?? hashed(), name, input) : null,
    ...(limit === null ? {} : { limit }),
    ...(loggedOut === null ? {} : { loggedOut }),
    ...(mode === null ? {} : { mode }),
    raw: payload,
  }
}

const readTool = (raw: Json): ToolCall => ({
  id: text(raw.tool_use_id),
  name: text(raw.tool_name) ?? '',
  input: asObject(raw.tool_input),
  ...(raw.tool_response === undefined && raw.error === undefined ? {} : { response: raw.tool_response ?? raw.error }),
})
