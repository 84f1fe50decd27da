import type { ContextUse } from '../../drivers/context-window.ts'
import { left } from '../wake/wake.ts'

/** Parts of the context window; 0 is off. */
export interface ContextLimits {
  warnAt: number
  handoverAt: number
  rotateAt: number
}

export type ContextStep = 'warn' | 'handover' | 'rotate'

/** What was done about one conversation so far. */
export interface ContextProgress {
  hasWarned: boolean
  /** When the handover was asked for. */
  askedAt: number | null
  /** When it was given a fresh conversation last, whichever that was. */
  rotatedAt: number | null
}

export const nothingDone: ContextProgress = { hasWarned: false, askedAt: null, rotatedAt: null }

export interface ContextSituation {
  use: ContextUse
  done: ContextProgress
  isIdle: boolean
  /** When the handover was written last; null if there is none. */
  writtenAt: number | null
}

/** An agent that has reached the end is not waited for longer than this. */
export const lastWaitMs = 120_000
/** A fresh conversation that is full at once would be followed by the next, without end. */
export const betweenRotationsMs = 600_000

export const fullnessOf = ({ tokens, window }: ContextUse): number | null => (window === null ? null : tokens / window)

/** The next thing to do about a context that fills up, if any; a wait says when to look again. `brake`: it is full again too soon. */
export const decideContext = (
  { use, done, isIdle, writtenAt }: ContextSituation,
  limits: ContextLimits,
  now: number,
): { step: ContextStep | 'brake' | null; waitMs: number | null } => {
  const fullness = fullnessOf(use) ?? 0
  const { warnAt, rotateAt } = limits
  const askAt = limits.handoverAt || rotateAt
  const { askedAt, rotatedAt } = done
  if (askedAt === null && hasReached(fullness, askAt)) return { step: 'handover', waitMs: null }
  if (askedAt === null) return { step: !done.hasWarned && hasReached(fullness, warnAt) ? 'warn' : null, waitMs: null }
  if (rotateAt === 0 || !isIdle) return { step: null, waitMs: null }
  const isWritten = writtenAt !== null && writtenAt >= askedAt
  if (!isWritten && !hasReached(fullness, rotateAt)) return { step: null, waitMs: null }
  const waitMs = isWritten ? 0 : left(askedAt, lastWaitMs, now)
  if (waitMs > 0) return { step: null, waitMs }
  const brakeMs = rotatedAt === null ? 0 : left(rotatedAt, betweenRotationsMs, now)
  return brakeMs > 0 ? { step: 'brake', waitMs: brakeMs } : { step: 'rotate', waitMs: null }
}

/** Whether the context was emptied since: by a compaction, or because the conversation was rewound. */
export const isEmptied = (use: ContextUse, limits: ContextLimits): boolean => {
  const lowest = Math.min(...[limits.warnAt, limits.handoverAt, limits.rotateAt].filter((limit) => limit > 0))
  return (fullnessOf(use) ?? 1) < lowest
}

const hasReached = (fullness: number, limit: number): boolean => limit > 0 && fullness >= limit

const percent = ({ tokens, window }: ContextUse): string => `${Math.round((tokens / (window ?? tokens)) * 100)} %`

export const warning = (use: ContextUse): string =>
  `Your context is ${percent(use)} full (${use.tokens} of ${use.window} tokens). Keep what you read and print short, and finish what you have begun.`

export const handoverRequest = (use: ContextUse, path: string): string =>
  [
    `Your context is ${percent(use)} full. Write a handover now, for yourself in a fresh conversation that knows nothing of this one, into this file:`,
    path,
    'Say what your task is and who wants it; what is done and where (files, branches, commits); what you were at just now, and the next steps; what you found out, decided and tried in vain; what is still open.',
    'Then end your turn.',
  ].join('\n')

export const freshPrompt = (handover: string | null, transcript: string | null): string => {
  const before = 'Rein: the context of your earlier conversation was full, so you go on in this one.'
  if (handover !== null) return `${before} This is the handover that you wrote. Go on from there.\n\n${handover}`
  const where = transcript === null ? '' : ` Its transcript is ${transcript}: look there for what you were doing.`
  return `${before} You wrote no handover.${where}`
}
