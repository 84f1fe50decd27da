import type { Question } from '../../contract/agent.ts'
import type { HookCall, HookEvent } from '../../contract/hooks.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import type { HookMeta } from '../contract.ts'
import { findEvent } from '../hook-calls.ts'
import { asObject, type Json, listObjects } from '../json.ts'
import { locate } from './transcript.ts'

const events: Record<string, HookEvent> = {
  'session.created': 'session_start',
  'chat.message': 'prompt',
  'tool.execute.before': 'before_tool',
  'tool.execute.after': 'after_tool',
  'permission.asked': 'permission',
  'question.asked': 'permission',
  'session.idle': 'stop',
  'session.compacted': 'after_compact',
  dispose: 'session_end',
}

/** A report of Rein's plugin; unknown fields stay in `raw`. */
export const decode = (payload: unknown, meta: HookMeta): HookCall => {
  const raw = asObject(payload)
  const about = asObject(raw.about)
  const conversation = textOf(raw.conversation) ?? meta.conversation
  const isSubagent = textOf(raw.session) !== null && raw.session !== conversation
  // The start and the end of a sub-agent are calls of its leader.
  return {
    driver: 'opencode',
    event: eventOf(raw, meta.native, isSubagent, about.client === 'acp'),
    native: meta.native,
    agent: meta.agent,
    pid: meta.pid,
    conversation,
    transcript: isObject(about.env) ? locate(conversation ?? '', '', about.env as NodeJS.ProcessEnv) : null,
    cwd: textOf(raw.directory),
    subagent:
      isSubagent && !(meta.native === 'session.created' || meta.native === 'session.idle')
        ? { id: String(raw.session), type: textOf(raw.agent) ?? '' }
        : null,
    tools:
      textOf(raw.tool) === null
        ? []
        : [
            {
              id: textOf(raw.call),
              name: textOf(raw.tool) ?? '',
              input: asObject(raw.args),
              ...(raw.output === undefined ? {} : { response: { output: raw.output, exit: raw.exit } }),
            },
          ],
    prompt:
      meta.native === 'chat.message'
        ? partsOf(raw)
            .filter(({ type, synthetic }) => type === 'text' && synthetic !== true)
            .map(({ text }) => textOf(text) ?? '')
            .join('\n')
        : null,
    source: textOf(raw.failure),
    question: isObject(raw.asked) ? questionOf(raw.asked) : null,
    raw: payload,
  }
}

const eventOf = (raw: Json, native: string, isSubagent: boolean, isAcp: boolean): HookEvent => {
  const event = findEvent(events, native)
  if (isSubagent && event === 'session_start') return 'subagent_start'
  if (isSubagent && event === 'stop') return 'subagent_stop'
  if (event === 'stop') {
    // After an interrupt nothing is to start it again; over ACP an agent that stopped is prompted instead.
    if (raw.failure === 'MessageAbortedError') return 'other'
    if (textOf(raw.failure) !== null) return 'stop_failed'
    return isAcp ? 'notification' : 'stop'
  }
  // What kept the agent from stopping is a prompt to opencode, but no occasion to say anything again.
  return event === 'prompt' && partsOf(raw).some(({ metadata }) => isObject(metadata) && metadata.rein === 'feedback')
    ? 'other'
    : event
}

const partsOf = ({ parts }: Json): Json[] => listObjects(parts)

const questionOf = (asked: Json): Question => {
  const id = textOf(asked.id) ?? ''
  if (Array.isArray(asked.questions)) {
    const summary = asked.questions.filter(isObject).map(({ question }) => textOf(question) ?? '')
    return { id, kind: 'question', tool: 'question', input: { questions: asked.questions }, summary: summary.join(' ') }
  }
  const tool = textOf(asked.permission) ?? ''
  const patterns = Array.isArray(asked.patterns) ? asked.patterns.map(String) : []
  const input = asObject(asked.metadata)
  return { id, kind: 'permission', tool, input, summary: `${tool}: ${patterns.join(', ')}` }
}
