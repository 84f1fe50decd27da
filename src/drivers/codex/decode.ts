import type { HookCall, HookEvent, ToolCall } from '../../contract/hooks.ts'
import { textOf as text } from '../../base/util/json.ts'
import type { HookMeta } from '../contract.ts'
import { findEvent, hashQuestion } from '../hook-calls.ts'
import { asObject, type Json } from '../json.ts'
import { askPermission } from './question.ts'

const events: Record<string, HookEvent> = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'before_tool',
  PostToolUse: 'after_tool',
  PermissionRequest: 'permission',
  Stop: 'stop',
  SubagentStart: 'subagent_start',
  SubagentStop: 'subagent_stop',
  PreCompact: 'before_compact',
  PostCompact: 'after_compact',
  SessionEnd: 'session_end',
}

/** Any hook call of any version: known fields are read leniently, the rest stays in `raw`. */
export const decode = (payload: unknown, meta: HookMeta): HookCall => {
  const raw = asObject(payload)
  // A sub-agent's start is its own first call; its end is a call of the leader.
  const id = text(raw.agent_id)
  const subagent = id === null || meta.native === 'SubagentStop' ? null : { id, type: text(raw.agent_type) ?? '' }
  const mode = text(raw.permission_mode)
  const { name, input } = readTool(raw)
  const hashed = (): string => hashQuestion(`${text(raw.turn_id)} ${name} ${JSON.stringify(input)}`)
  return {
    driver: 'codex',
    event: findEvent(events, meta.native),
    native: meta.native,
    agent: meta.agent,
    pid: meta.pid,
    conversation: text(raw.session_id) ?? meta.conversation,
    // A sub-agent calls under its leader's id, but with the transcript of its own.
    transcript: subagent === null ? text(raw.transcript_path) : null,
    cwd: text(raw.cwd),
    subagent,
    tools: text(raw.tool_name) === null ? [] : [readTool(raw)],
    prompt: text(raw.prompt),
    source: text(raw.source) ?? text(raw.trigger) ?? text(raw.reason),
    question: meta.native === 'PermissionRequest' ? askPermission(hashed(), name, input) : null,
    ...(mode === null ? {} : { mode }),
    raw: payload,
  }
}

const readTool = (raw: Json): ToolCall => ({
  id: text(raw.tool_use_id),
  name: text(raw.tool_name) ?? '',
  input: asObject(raw.tool_input),
  ...(raw.tool_response === undefined ? {} : { response: raw.tool_response }),
})
