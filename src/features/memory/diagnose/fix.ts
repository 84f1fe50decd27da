import type { ShellLine } from '../../../base/shell/line.ts'
import type { ErrorSignature } from './signature.ts'

/**
 * `instead`: another command in place of the failed one. `before`: run this, then the failed one again.
 * `edit`: files were changed, then the same once more. `again`: the same once more, nothing else.
 */
export type FixKind = 'instead' | 'before' | 'edit' | 'again'

/** Kinds of failure, from the narrowest to the widest. */
export type Level = 'error' | 'command' | 'program'

/** A command as it was run, and what it is. */
export interface Ran {
  readonly source: string
  readonly line: ShellLine
}

export interface FailedRun extends Ran {
  readonly signature: ErrorSignature
}

/** One thing that was done about a failure. */
export interface Attempt {
  readonly kind: FixKind
  readonly ran: Ran
}

/** What was done about a failure, and whether it was gone after that. */
export interface Lesson {
  readonly failed: FailedRun
  readonly attempts: readonly Attempt[]
  readonly worked: boolean
}

/** What made this failure go away here before. */
export interface Fix {
  readonly kind: FixKind
  readonly command: string
  readonly template: string
  /** How often it was followed by success, of how many attempts. */
  readonly worked: number
  readonly tried: number
  /** What it helped against: this very error, this command, or only this program. */
  readonly against: Level
  /** Between 0 and 1: how likely it is what helps now. */
  readonly score: number
  /** For people and agents: `worked 3 of 3 times here after this error`. */
  readonly why: string
}
