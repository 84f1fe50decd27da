import type { Question } from '../../contract/agent.ts'
import type { HookCall, HookEvent, ToolCall } from '../../contract/hooks.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import type { HookMeta } from '../contract.ts'
import { locate } from './transcript.ts'

type Raw = Record<string, unknown>

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

/** What Rein's plugin tells of; what it does not know stays in `raw`. */
export const decode = (payload: unknown, meta: HookMeta): HookCall => {
  const raw = isObject(payload) ? payload : {}
  const about = isObject(raw.about) ? raw.about : {}
  const conversation = textOf(raw.conversation) ?? meta.conversation
  const isSubagent = textOf(raw.session) !== null && raw.session !== conversation
  return {
    driver: 'opencode',
    event: eventOf(raw, meta.native, isSubagent, about.client === 'acp'),
    native: meta.native,
    agent: meta.agent,
    pid: meta.pid,
    conversation,
    transcript: isObject(about.env) ? locate(conversation ?? '', '', about.env as NodeJS.ProcessEnv) : null,
    cwd: textOf(raw.directory),
    subagent: isSubagent && !isLeaders(meta.native) ? { id: String(raw.session), type: textOf(raw.agent) ?? '' } : null,
    tools: textOf(raw.tool) === null ? [] : [toolOf(raw)],
    prompt: meta.native === 'chat.message' ? promptOf(raw) : null,
    source: textOf(raw.failure),
    question: isObject(raw.asked) ? questionOf(raw.asked) : null,
    raw: payload,
  }
}

/** That a sub-agent begins and ends is told in its leader's name. */
const isLeaders = (native: string): boolean => native === 'session.created' || native === 'session.idle'

const eventOf = (raw: Raw, native: string, isSubagent: boolean, isAcp: boolean): HookEvent => {
  const event = Object.hasOwn(events, native) ? (events[native] ?? 'other') : 'other'
  if (isSubagent && event === 'session_start') return 'subagent_start'
  if (isSubagent && event === 'stop') return 'subagent_stop'
  if (event === 'stop') return stopOf(raw, isAcp)
  return event === 'prompt' && isFeedback(raw) ? 'other' : event
}

/** After an interrupt nothing is to start it again; over ACP an agent that stopped is prompted instead. */
const stopOf = ({ failure }: Raw, isAcp: boolean): HookEvent => {
  if (failure === 'MessageAbortedError') return 'other'
  if (textOf(failure) !== null) return 'stop_failed'
  return isAcp ? 'notification' : 'stop'
}

const partsOf = ({ parts }: Raw): Raw[] => (Array.isArray(parts) ? parts.filter(isObject) : [])

/** What kept the agent from stopping is a prompt to opencode, but no occasion to say anything again. */
const isFeedback = (raw: Raw): boolean =>
  partsOf(raw).some(({ metadata }) => isObject(metadata) && metadata.rein === 'feedback')

const promptOf = (raw: Raw): string =>
  partsOf(raw)
    .filter(({ type, synthetic }) => type === 'text' && synthetic !== true)
    .map(({ text }) => textOf(text) ?? '')
    .join('\n')

const toolOf = (raw: Raw): ToolCall => ({
  id: textOf(raw.call),
  name: textOf(raw.tool) ?? '',
  input: isObject(raw.args) ? raw.args : {},
  ...(raw.output === undefined ? {} : { response: { output: raw.output, exit: raw.exit } }),
})

const questionOf = (asked: Raw): Question => {
  const id = textOf(asked.id) ?? ''
  if (Array.isArray(asked.questions)) {
    const summary = asked.questions.filter(isObject).map(({ question }) => textOf(question) ?? '')
    return { id, kind: 'question', tool: 'question', input: { questions: asked.questions }, summary: summary.join(' ') }
  }
  const tool = textOf(asked.permission) ?? ''
  const patterns = Array.isArray(asked.patterns) ? asked.patterns.map(String) : []
  const input = isObject(asked.metadata) ? asked.metadata : {}
  return { id, kind: 'permission', tool, input, summary: `${tool}: ${patterns.join(', ')}` }
}
