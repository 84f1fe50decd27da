import { type Agent, type AgentState, isAlive, type Question } from '../../contract/agent.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { HookCall, HookEvent } from '../../contract/hooks.ts'
import { isLoginQuestion, loginQuestion } from '../../contract/login-question.ts'
import type { Evidence } from '../../contract/identity.ts'

/** A hook says more than a screen; only when none came for this long is the screen believed against it. */
const hookIsFreshMs = 1500
/** By then a first prompt was taken in, or will not be. */
const firstPromptMs = 8000
/** The end of a turn may be seen on the screen before what it ended with is read. */
const turnEndMs = 5000

/** What was heard of a living agent, by whom it was said. What counts more is listed first. */
export type Signal =
  /** Its own protocol, or a command of Rein's. */
  | { from: 'stream'; state: AgentState; question: Question | null; until?: number | null; evidence: Evidence }
  /** `goesOn`: it wanted to stop and is kept from it. */
  | { from: 'hook'; call: HookCall; goesOn: boolean }
  | { from: 'transcript'; entry: ConversationEntry }
  | { from: 'screen'; state: AgentState; question: Question | null; until?: number | null; evidence: Evidence }

/** What is remembered beside the agent itself. */
export interface Memory {
  lastHookAt: number
  /** When a question was answered last, whoever did. */
  answeredAt: number
  /** It was started with a prompt. */
  hasFirstPrompt: boolean
}

export interface Change {
  state: AgentState
  question: Question | null
  until: number | null
  evidence: Evidence
  /** It stopped without saying so: a person pressed Esc. */
  wasInterrupted: boolean
}

/** What an agent is in after a signal; null when that changes nothing. The end of its process is not among them. */
export const next = (agent: Agent, signal: Signal, memory: Memory, now: number): Change | null => {
  if (!isAlive(agent.state)) return null
  const change = judge(agent, signal, memory, now)
  if (change === null || (isLimited(agent, now) && change.state === 'idle')) return null
  if (isSameLimit(agent, change)) return null
  if (isLoggedOut(agent, signal) && change.state === 'idle') return null
  const isSame = change.state === stateBehind(agent) && change.question?.id === agent.question?.id
  return isSame && change.until === agent.until ? null : change
}

const judge = (agent: Agent, signal: Signal, memory: Memory, now: number): Change | null => {
  switch (signal.from) {
    case 'stream':
      return changeTo(signal.state, signal.evidence, signal.question, signal.until)
    case 'hook':
      return byHook(agent, signal.call, signal.goesOn, memory)
    case 'transcript':
      return byEntry(agent, signal.entry)
    case 'screen':
      return byScreen(agent, signal, memory, now)
    default:
      return signal satisfies never
  }
}

const changeTo = (
  state: AgentState,
  evidence: Evidence,
  question: Question | null = null,
  until: number | null = null,
): Change => ({ state, question, until, evidence, wasInterrupted: false })

/** Paused is idle to everybody but the person who paused it. */
const stateBehind = ({ state }: Agent): AgentState => (state === 'paused' ? 'idle' : state)

/** A CLI stops at a limit like at the end of any turn: that is no end of the limit. */
const isLimited = ({ state, until }: Agent, now: number): boolean =>
  state === 'limited' && (until === null || until > now)

/**
 * A CLI that said so ends its turn and shows its input box all the same. What only its screen showed is gone from there
 * once somebody has logged in.
 */
const isLoggedOut = ({ question }: Agent, { from }: Signal): boolean =>
  (from === 'hook' || from === 'screen') && isLoginQuestion(question) && question?.id.startsWith('screen:') === false

/** Some evidence of a limit is told to the second, some to the minute: the sooner end of the same one is the true one. */
const isSameLimit = ({ state, until: known }: Agent, { state: told, until }: Change): boolean => {
  if (state !== 'limited' || told !== 'limited' || known === null) return false
  return until === null || (until >= known && until - known <= 60_000)
}

export const hookEvidence = ({ conversation, native }: HookCall): Evidence => ({
  source: 'hook',
  conversation: conversation ?? '',
  detail: native,
})

const tellingEvents: readonly HookEvent[] = [
  'session_start',
  'prompt',
  'before_tool',
  'after_tool',
  'after_batch',
  'permission',
  'stop',
  'stop_failed',
]

/** Whether the call tells what its agent does: those of its sub-agents do not, nor does what comes beside its work. */
export const tellsState = ({ event, subagent, limit, loggedOut }: HookCall): boolean =>
  subagent === null && (tellingEvents.includes(event) || limit !== undefined || loggedOut !== undefined)

const byHook = (agent: Agent, call: HookCall, goesOn: boolean, memory: Memory): Change | null => {
  if (!tellsState(call)) return null
  if (call.limit !== undefined) return changeTo('limited', hookEvidence(call), null, call.limit.until)
  if (call.loggedOut !== undefined) return loggedOut(call.loggedOut, hookEvidence(call))
  const state = call.event === 'session_start' ? begun(agent, call, memory) : stateAt(agent, call, goesOn)
  return state === null ? null : changeTo(state, hookEvidence(call), isAsking(state) ? call.question : null)
}

/** Only a person can go on from there. */
const loggedOut = (said: string, evidence: Evidence): Change =>
  changeTo('awaiting_answer', evidence, loginQuestion(said))

/** A session also starts in the middle: after a compaction, or when a person clears it. */
const begun = ({ state, evidence }: Agent, { source }: HookCall, { hasFirstPrompt }: Memory): AgentState | null => {
  const isBeginning = state === 'starting' || (evidence?.source === 'command' && source !== 'compact')
  if (!isBeginning) return null
  return hasFirstPrompt ? 'working' : 'idle'
}

/** A stream knows better by itself. */
const stateAt = ({ host }: Agent, call: HookCall, goesOn: boolean): AgentState | null => {
  if (host === 'stream') return null
  switch (call.event) {
    case 'prompt':
    case 'before_tool':
    case 'after_tool':
    case 'after_batch':
      return 'working'
    case 'permission':
      return call.question?.kind === 'permission' ? 'awaiting_permission' : 'awaiting_answer'
    case 'stop':
      return goesOn ? 'working' : 'idle'
    case 'stop_failed':
      return 'idle'
    default:
      return null
  }
}

export const isAsking = (state: AgentState): boolean => state === 'awaiting_permission' || state === 'awaiting_answer'

/** One that is not logged in has ended its turn, and can begin none. */
export const isAtWork = ({ state, question }: Agent): boolean =>
  state === 'working' || (isAsking(state) && !isLoginQuestion(question))

/** Only what was written since the agent came into its state: a conversation is read again from its beginning. */
const byEntry = (agent: Agent, entry: ConversationEntry): Change | null => {
  const evidence: Evidence = { source: 'transcript', entry: entry.id }
  if (entry.loggedOut !== undefined && entry.at >= agent.since - (agent.state === 'idle' ? turnEndMs : 0))
    return loggedOut(entry.loggedOut, evidence)
  if (entry.at < agent.since) return null
  if (entry.limit !== undefined) return changeTo('limited', evidence, null, entry.limit.until)
  if (entry.isLogin === true && isLoginQuestion(agent.question)) return changeTo('idle', evidence)
  if (entry.isInterrupt !== true || agent.host === 'stream' || !isAtWork(agent)) return null
  return { ...changeTo('idle', evidence), wasInterrupted: true }
}

/** The screen is the last evidence, and it lags. */
const byScreen = (
  agent: Agent,
  { state: shown, question, until, evidence }: Extract<Signal, { from: 'screen' }>,
  memory: Memory,
  now: number,
): Change | null => {
  if (shown === 'idle' && isAboutToBegin(agent, memory, now)) return null
  const change = changeTo(shown, evidence, question, until)
  if (isAsking(shown)) {
    const isUnsettled = isStale(agent, question, memory, now) || isLeftToHook(question, memory, now)
    return isUnsettled ? null : change
  }
  // A dialog that tells of a limit stays open after that has ended.
  if (shown === 'limited' && agent.state !== 'working' && agent.state !== 'starting') return null
  if (now - memory.lastHookAt < hookIsFreshMs) return null
  return { ...change, wasInterrupted: shown === 'idle' && isAtWork(agent) && isToldByHooks(agent, memory) }
}

/** Its hooks tell of its work, so the end of it, too. One that came while no daemon was there was not heard: that is no Esc. */
const isToldByHooks = ({ evidence, since }: Agent, { lastHookAt }: Memory): boolean =>
  lastHookAt > 0 && (evidence?.source === 'hook' || lastHookAt >= since)

/** A question that was told in full, or a dialog that is just closing. */
const isStale = (
  { state, question: known }: Agent,
  shown: Question | null,
  { answeredAt }: Memory,
  now: number,
): boolean => {
  const isKnownByScreen = known?.id.startsWith('screen:') === true
  if (isAsking(state) && known !== null) return !isKnownByScreen || known.id === shown?.id
  return now - answeredAt < hookIsFreshMs
}

/** A CLI draws the dialog while its permission hook runs, and a policy may answer that hook: until then no person is asked. */
const isLeftToHook = (shown: Question | null, { lastHookAt }: Memory, now: number): boolean =>
  shown?.kind === 'permission' && now - lastHookAt < hookIsFreshMs

/** An empty composer before the first prompt is taken in: some draw it first. */
const isAboutToBegin = ({ state, since }: Agent, { hasFirstPrompt }: Memory, now: number): boolean =>
  state === 'starting' && hasFirstPrompt && now - since < firstPromptMs
