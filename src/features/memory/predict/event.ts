/** Who is at the keyboard when it is no agent. */
export const PERSON = 'person'

/** Where and by whom the next command is to be run: all that is known before it. */
export interface Moment {
  readonly project: string
  /** Conversation of an agent, or one shell of a person. */
  readonly session: string
  /** The kind of the agent, or PERSON. */
  readonly agent: string
  readonly cwd: string
  /** Milliseconds; only the order counts. */
  readonly time: number
  /** Names of the other tools used since the command before, oldest first. */
  readonly tools?: readonly string[]
  /** Files changed since the command before, oldest first. */
  readonly edited?: readonly string[]
}

/** A command that was run, and what became of it. */
export interface CommandEvent extends Moment {
  readonly command: string
  /** Unknown is null, never 0. */
  readonly exit: number | null
  /** How the output of a failed command begins. */
  readonly error?: string
}

export interface Prediction {
  readonly text: string
  readonly template: string
  /** How likely it is that exactly this line comes next. */
  readonly score: number
  /** How likely it is that a line of this shape comes next. */
  readonly templateScore: number
  readonly source: 'history' | 'filled'
  readonly reasons: readonly string[]
}
