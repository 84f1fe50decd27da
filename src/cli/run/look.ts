import { createHash } from 'node:crypto'
import type { AgentState } from '../../contract/agent.ts'
import { isLoginQuestion } from '../../contract/login-question.ts'
import type { LiveEvent } from '../../contract/live.ts'

/** The state of a running agent, from its events so far. */
export interface Look {
  state: AgentState
  /** What that state is known by. */
  reason: string
  /** Its CLI is not logged in: it answers nothing else. */
  isLoggedOut: boolean
  /** Rein itself has paused it, for that reason. */
  isHeldUp: boolean
  model: string | null
  costUsd: number | null
  /** The cost before this process began: each process counts from zero. */
  costBefore: number
  /** How its turn ended; null while it goes on. `wasMoved`: it was stopped in the middle, to go on elsewhere. */
  end: { reason: string; isError: boolean; wasInterrupted: boolean; wasMoved?: boolean } | null
  /** How often the model has replied in this run. */
  replies: number
  /** Calls without a result, and whether there was one after the model's last words: then it is asked again. */
  calls: readonly string[]
  isAsked: boolean
  /** Sub-agents that work in the background. */
  background: number
  /** Something is missing: the end may be. */
  hasGap: boolean
  /** The model's text since its last tool call. */
  text: string
  /** Stands for all that it said and did in this turn: the same again is the same. */
  work: string
}

export const firstLook: Look = {
  state: 'starting',
  reason: '',
  isLoggedOut: false,
  isHeldUp: false,
  model: null,
  costUsd: null,
  costBefore: 0,
  end: null,
  replies: 0,
  calls: [],
  isAsked: false,
  background: 0,
  hasGap: false,
  text: '',
  work: '',
}

/** A new turn begins. */
export const begun = (look: Look): Look => ({ ...look, ...quiet, end: null, hasGap: false, text: '', work: '' })

const quiet = { calls: [], isAsked: false }

export const heed = (look: Look, event: LiveEvent): Look => {
  switch (event.kind) {
    case 'reply':
      return { ...look, replies: look.replies + 1, isAsked: event.told === 'end' && look.isAsked }
    case 'thinking':
      return { ...look, isAsked: false }
    case 'text':
      return { ...look, isAsked: false, text: look.text + event.text }
    case 'tool':
      return {
        ...look,
        // The calls of a sub-agent do not count.
        ...(event.isSubagent ? {} : { calls: [...look.calls, event.id], isAsked: true }),
        text: '',
        work: digest(look.work, look.text, event.name, JSON.stringify(event.input)),
      }
    case 'tool_result':
      return { ...look, calls: look.calls.filter((id) => id !== event.id) }
    case 'usage':
      return {
        ...look,
        costUsd: event.usage.costUsd === undefined ? look.costUsd : look.costBefore + event.usage.costUsd,
      }
    case 'model':
      return { ...look, model: event.model }
    case 'state': {
      const { state, reason, question, isHeldUp = false } = event
      return {
        ...look,
        state,
        reason,
        isLoggedOut: isLoginQuestion(question),
        isHeldUp,
        costBefore: state === 'starting' ? (look.costUsd ?? 0) : look.costBefore,
        // What went on in the background ends with its process.
        background: state === 'starting' ? 0 : look.background,
        ...(state === 'starting' && /^(working|awaiting_)/.test(look.state)
          ? {
              end: look.end ?? {
                reason: 'stopped in the middle of it',
                isError: false,
                wasInterrupted: false,
                wasMoved: true,
              },
              text: '',
            }
          : {}),
      }
    }
    case 'ended':
      return { ...look, ...quiet, end: event, work: digest(look.work, look.text) }
    case 'background':
      return {
        ...look,
        background: event.running,
        // A turn that begins by itself tells the agent of the last one's end.
        ...(event.running === 0 && look.background > 0 ? { end: null } : {}),
      }
    case 'gap':
      return { ...look, hasGap: true }
    default:
      return look
  }
}

/** Its model would be asked more often than it may. */
export const isPastTurns = ({ replies, calls, isAsked, end }: Look, maxTurns: number | null): boolean =>
  maxTurns !== null && end === null && (replies > maxTurns || (replies === maxTurns && isAsked && calls.length === 0))

const atRest: readonly AgentState[] = ['idle', 'paused']
const gone: readonly AgentState[] = ['stopped', 'crashed', 'looping']

/** Its process is not there any more. */
export const isGone = ({ state }: Pick<Look, 'state'>): boolean => gone.includes(state)

/** Its turn has ended, nothing goes on in the background and it came to rest, or Rein held it up; one that is at a limit goes on by itself. */
export const isOver = (look: Look): boolean =>
  isGone(look) ||
  look.isHeldUp ||
  look.isLoggedOut ||
  (atRest.includes(look.state) && look.background === 0 && (look.end !== null || look.hasGap))

const digest = (...parts: string[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}
