import { createHash } from 'node:crypto'
import type { AgentState } from '../../contract/agent.ts'
import type { LiveEvent } from '../../contract/live.ts'

/** What is known of a running agent by what it told so far. */
export interface Look {
  state: AgentState
  /** What that state is known by. */
  reason: string
  /** Rein itself has paused it, for that reason. */
  isHeldUp: boolean
  model: string | null
  costUsd: number | null
  /** What it had cost when its process began: each process counts from zero. */
  costBefore: number
  /** How its turn ended; null while nobody heard of an end. `wasMoved`: it was stopped in the middle of it, to go on elsewhere. */
  end: { reason: string; isError: boolean; wasInterrupted: boolean; wasMoved?: boolean } | null
  /** Something is missing: the end may be. */
  hasGap: boolean
  /** What the model said since its last tool. */
  text: string
  /** Stands for all that it said and did in this turn: the same again is the same. */
  work: string
}

export const firstLook: Look = {
  state: 'starting',
  reason: '',
  isHeldUp: false,
  model: null,
  costUsd: null,
  costBefore: 0,
  end: null,
  hasGap: false,
  text: '',
  work: '',
}

/** A new turn begins. */
export const begun = (look: Look): Look => ({ ...look, end: null, hasGap: false, text: '', work: '' })

export const heed = (look: Look, event: LiveEvent): Look => {
  switch (event.kind) {
    case 'text':
      return { ...look, text: look.text + event.text }
    case 'tool':
      return { ...look, text: '', work: digest(look.work, look.text, event.name, JSON.stringify(event.input)) }
    case 'usage':
      return { ...look, costUsd: costNow(look, event.usage.costUsd) }
    case 'model':
      return { ...look, model: event.model }
    case 'state':
      return withState(look, event)
    case 'ended':
      return { ...look, end: event, work: digest(look.work, look.text) }
    case 'gap':
      return { ...look, hasGap: true }
    default:
      return look
  }
}

const withState = (look: Look, { state, reason, isHeldUp = false }: Extract<LiveEvent, { kind: 'state' }>): Look => ({
  ...look,
  state,
  reason,
  isHeldUp,
  costBefore: costBefore(look, state),
  ...(state === 'starting' && isAtWork(look) ? cutOff(look) : {}),
})

const isAtWork = ({ state }: Look): boolean => /^(working|awaiting_)/.test(state)

/** Whoever is started again does not go on with its turn. */
const cutOff = ({ end }: Look): Pick<Look, 'end' | 'text'> => ({
  end: end ?? { reason: 'stopped in the middle of it', isError: false, wasInterrupted: false, wasMoved: true },
  text: '',
})

const costNow = ({ costUsd, costBefore: before }: Look, told: number | undefined): number | null =>
  told === undefined ? costUsd : before + told

const costBefore = ({ costUsd, costBefore: before }: Look, state: AgentState): number =>
  state === 'starting' ? (costUsd ?? 0) : before

const atRest: readonly AgentState[] = ['idle', 'paused']
const gone: readonly AgentState[] = ['stopped', 'crashed', 'looping']

/** Its process is not there any more. */
export const isGone = ({ state }: Pick<Look, 'state'>): boolean => gone.includes(state)

/** Its turn has ended and it came to rest, or Rein held it up; one that is at a limit goes on by itself. */
export const isOver = (look: Look): boolean =>
  isGone(look) || look.isHeldUp || (atRest.includes(look.state) && (look.end !== null || look.hasGap))

const digest = (...parts: string[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}
