import { setTimeout as delay } from 'node:timers/promises'
import { resolveAgent } from '../../agents/identity/resolve-agent.ts'
import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { chooseId, parseIdPart } from '../../contract/ids.ts'
import type { Place } from '../../contract/session.ts'
import { loadSession, type Session, turnAt } from './session.ts'
import {
  conversationsLike,
  findConversation,
  findSession,
  type KnownConversation,
  lastMovedIn,
  sessionIds,
  sessionsNamed,
} from './store.ts'
import type { Turn } from './turn.ts'
import { nearest } from '../../base/util/nearest.ts'
import type { SessionParts } from './parts.ts'

/** A session, and the agent that goes through it. */
export interface Target {
  agent: Agent
  session: Session
  /** Where the agent is now, which may be in another session. */
  from: Place
  /** The turn behind it in this session; null is before the first. */
  here: Turn | null
}

/** Shorter ones could be anything. */
const shortestPrefix = 6

const writtenMs = 3000
const lookMs = 50
/** A start takes seconds, and on a busy machine many. */
const startedMs = 30_000

/** By a handle, or by any part of an id: of a session, with or without `ses_`, or of a conversation. */
export const findTarget = async (parts: SessionParts, input: { target: string; cwd: string }): Promise<Target> => {
  const { supervisor, reader } = parts
  const isHandle = supervisor.agents.some(({ handle }) => handle === input.target)
  const named = isHandle ? null : bySessionName(parts, input.target)
  if (named !== null) return targetOf(parts, named.agent, named.session)
  const project = await parts.projects.of(input.cwd).catch(() => null)
  const agent = resolveAgent(supervisor.agents, input.target, project)
  const known = agent.conversation === null ? null : findConversation(reader, agent.conversation)
  // Sent back to before its first prompt, it has no conversation until the next one.
  const name = known?.session ?? (agent.conversation === null ? lastMovedIn(reader, agent.id) : null)
  const session = name === null ? null : findSession(reader, name)
  if (session === null) {
    // The first look at a large tree takes its time.
    const progress = parts.recorder.progressOf(agent.id)
    const reading = progress === null ? '' : ` Its files are being read: ${progress.done} of ${progress.total}.`
    throw new ReinError(
      'not_found',
      `${agent.handle} has no turns yet.${reading}`,
      'List what there is: rein session list',
    )
  }
  return targetOf(parts, agent.id, session.id)
}

/** Whether it names a session or a conversation, and no agent. */
export const isSessionName = (parts: SessionParts, target: string): boolean => {
  if (parts.supervisor.agents.some(({ handle }) => handle === target)) return false
  return target.startsWith('ses_') || bySessionName(parts, target) !== null
}

/**
 * A move starts an agent again, and the next one waits until it has started, unless it may stop it at once.
 * A CLI writes the end of its turn a moment after it came to rest: whoever wants to go on from there waits for it.
 */
export const findRested = async (
  parts: SessionParts,
  input: { target: string; cwd: string; stop?: boolean },
): Promise<Target> => {
  const { agent } = await findTarget(parts, input)
  if (input.stop !== true) await parts.supervisor.agent(agent.id).leaves('starting', startedMs)
  const deadline = parts.now() + writtenMs
  for (;;) {
    const target = await findTarget(parts, input)
    const isBeingWritten = target.agent.state === 'idle' && target.here !== null && target.here.endedAt === null
    if (!isBeingWritten || parts.now() > deadline) return target
    await delay(lookMs)
  }
}

const bySessionName = (parts: SessionParts, target: string): { agent: string; session: string } | null =>
  bySession(parts, target) ?? byConversation(parts, target) ?? byDigits(parts, target)

/** The digits of a session's id alone. */
const byDigits = (parts: SessionParts, target: string): { agent: string; session: string } | null => {
  const isKnown = parseIdPart(target)?.kind === '' && sessionsNamed(parts.reader, `ses_${target}`).length > 0
  return isKnown ? bySession(parts, `ses_${target}`) : null
}

const bySession = ({ reader }: SessionParts, target: string): { agent: string; session: string } | null => {
  if (!target.startsWith('ses_')) return null
  const row = findSession(reader, chooseId(target, sessionsNamed(reader, target)))
  if (row !== null) return { agent: row.agent, session: row.id }
  const meant = nearest(digitsOf(target), sessionIds(reader).map(digitsOf))
  const hint = meant === undefined ? 'List them: rein session list' : `Did you mean ses_${meant}?`
  throw new ReinError('not_found', `There is no session ${target}.`, hint)
}

/** Only the digits are compared: the kind before them is the same in all. */
const digitsOf = (id: string): string => id.replace(/^ses_/, '')

const byConversation = ({ reader }: SessionParts, target: string): KnownConversation | null => {
  const found = target.length < shortestPrefix ? [] : conversationsLike(reader, target)
  const chosen = chooseId(
    target,
    found.map(({ conversation }) => conversation),
  )
  return found.find(({ conversation }) => conversation === chosen) ?? null
}

const targetOf = ({ supervisor, reader }: SessionParts, id: string, session: string): Target => {
  const agent = supervisor.get(id)
  if (agent === null) throw new ReinError('unknown_agent', 'The agent of this session is not known any more.')
  const loaded = loadSession(reader, session)
  const known = agent.conversation === null ? null : findConversation(reader, agent.conversation)
  const isOwn = known?.place.conversation === agent.conversation
  const from = { conversation: agent.conversation, turn: isOwn ? (known?.place.turn ?? null) : null }
  return { agent, session: loaded, from, here: turnAt(loaded, from) }
}
