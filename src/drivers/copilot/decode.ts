import type { Question } from '../../contract/agent.ts'
import type { HookCall, HookEvent } from '../../contract/hooks.ts'
import { textOf as text } from '../../base/util/json.ts'
import type { HookMeta } from '../contract.ts'
import { findEvent, hashQuestion } from '../hook-calls.ts'
import { asObject, type Json } from '../json.ts'

const events: Record<string, HookEvent> = {
  sessionStart: 'session_start',
  userPromptSubmitted: 'prompt',
  preToolUse: 'before_tool',
  postToolUse: 'after_tool',
  agentStop: 'stop',
  subagentStart: 'subagent_start',
  subagentStop: 'subagent_stop',
  preCompact: 'before_compact',
  sessionEnd: 'session_end',
  notification: 'notification',
}

/** Any hook call of any version: known fields are read leniently, the rest stays in `raw`. */
export const decode = (payload: unknown, meta: HookMeta): HookCall => {
  const raw = asObject(payload)
  const question = readQuestion(raw)
  // The leader's own start and stop of a sub-agent carry its id too, yet they are the leader's calls.
  const agent = meta.native === 'subagentStart' || meta.native === 'subagentStop' ? null : text(raw.agentId)
  const { native } = meta
  const isNotice = native === 'userPromptSubmitted' && ownWords.test(text(raw.prompt) ?? '')
  // A headless CLI reports the end of each turn as the end of its session.
  const isTurnEnd = native === 'sessionEnd' && raw.reason === 'complete'
  const [name, response] = [text(raw.toolName), raw.toolResult]
  return {
    driver: 'copilot',
    event:
      question !== null ? 'permission' : isNotice ? 'notification' : isTurnEnd ? 'other' : findEvent(events, native),
    native: meta.native,
    agent: meta.agent,
    pid: meta.pid,
    conversation: text(raw.parentAgentId) ?? text(raw.sessionId) ?? meta.conversation,
    transcript: text(raw.transcriptPath),
    cwd: text(raw.cwd),
    subagent: agent === null ? null : { id: agent, type: text(raw.agentType) ?? '' },
    tools:
      name === null
        ? []
        : [{ id: null, name, input: asObject(raw.toolArgs), ...(response === undefined ? {} : { response }) }],
    prompt: text(raw.prompt),
    source: text(raw.source) ?? text(raw.trigger) ?? text(raw.reason),
    question,
    raw: payload,
  }
}

/** The prompt hook also runs for the CLI's own notices, which take no context, and for the reason of a blocked stop. */
const ownWords = /^<system_notification>|^<rein-(?:directive|message) id="/m

const questions: Record<string, Question['kind']> = { permission_prompt: 'permission', elicitation_dialog: 'question' }

/** The permission hook runs for every tool, asked for or not; only a notification says that a person is asked. */
const readQuestion = (raw: Json): Question | null => {
  const kind = questions[text(raw.notification_type) ?? '']
  if (kind === undefined) return null
  const message = text(raw.message) ?? ''
  const [, what, subject] = /^([^:]+): (.+)$/s.exec(message) ?? []
  const id = hashQuestion(`${kind} ${message}`)
  const [tool, name] = what === 'Run command' ? ['bash', 'command'] : [kind, 'subject']
  return { id, kind, tool, input: subject === undefined ? {} : { [name]: subject }, summary: message }
}
