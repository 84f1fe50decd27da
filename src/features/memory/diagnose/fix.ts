import type { ShellLine } from '../../../base/shell/line.ts'
import type { ErrorSignature } from './signature.ts'

/**
 * `instead`: another command in place of the failed one. `before`: run this, then the failed one again.
 * `edit`: files were changed, then the same once more. `again`: the same once more, nothing else.
 */
export type FixKind = 'instead' | 'before' | 'edit' | 'again'

/** Whether a fix runs the failed command itself once more. */
export const isSameCommand = (kind: FixKind): boolean => kind === 'edit' || kind === 'again'

/** Kinds of failure, from the narrowest to the widest. */
export type Level = 'error' | 'command' | 'program'

/** A command as it was run, and as it was read. */
export interface Ran {
  readonly source: string
  readonly line: ShellLine
}

export interface FailedRun extends Ran {
  readonly signature: ErrorSignature
}

/** One action after a failure. */
export interface Attempt {
  readonly kind: FixKind
  readonly ran: Ran
}

/** The actions after a failure, and whether they ended it. */
export interface Lesson {
  readonly failed: FailedRun
  readonly attempts: readonly Attempt[]
  readonly worked: boolean
}

/** An action that ended this failure here before. */
export interface Fix {
  readonly kind: FixKind
  readonly command: string
  readonly template: string
  /** How often it was followed by success, of how many attempts. */
  readonly worked: number
  readonly tried: number
  /** The failure it ended: this very error, this command, or only this program. */
  readonly against: Level
  /** Between 0 and 1: the probability that it helps now. */
  readonly score: number
  /** For people and agents: `worked 3 of 3 times here after this error`. */
  readonly why: string
}
