/** Where and by whom the next command is run: all that is known before it. */
export interface Moment {
  readonly project: string
  /** Conversation of an agent, or one shell of a person. */
  readonly session: string
  /** The driver of the agent, or `person`. */
  readonly agent: string
  readonly cwd: string
  /** Milliseconds; only the order counts. */
  readonly time: number
  /** Names of the other tools used since the previous command, oldest first. */
  readonly tools?: readonly string[]
  /** Files changed since the previous command, oldest first. */
  readonly edited?: readonly string[]
}

/** The question for a prediction, with `author` as the driver of the agent, or `person`. */
export type Asked = Omit<Moment, 'agent'> & { readonly author: string }

/** A command that was run, and its result. */
export interface CommandEvent extends Moment {
  readonly command: string
  /** Unknown is null, never 0. */
  readonly exit: number | null
  /** The beginning of the output of a failed command. */
  readonly error?: string
}

export interface Prediction {
  readonly text: string
  readonly template: string
  /** The probability that exactly this line comes next. */
  readonly score: number
  readonly source: 'history' | 'filled'
  readonly reasons: readonly string[]
}
