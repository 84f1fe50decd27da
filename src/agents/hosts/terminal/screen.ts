/** What decides, besides what it shows, whether a terminal may be typed into. */
export interface Condition {
  /** Its program has ended, or another one is in its place. */
  isDead: boolean
  /** Somebody looks back in it: keys would not reach the program. */
  isScrolled: boolean
  /** How long ago a person typed into it; null if nobody has. */
  typedMsAgo: number | null
}

/** A terminal that an agent runs in: all that differs between the hosts that have one. `not_running` is its error when there is none any more. */
export interface Screen {
  read(): Promise<string>
  /** Keys by tmux's names, in this order. */
  press(...keys: string[]): Promise<void>
  /** Nothing in a pasted text can press a key. */
  paste(text: string): Promise<void>
  condition(): Promise<Condition>
  /** Calls back soon after something was drawn; returns how to stop that. */
  onChange(run: () => void): () => void
  /** Clears away the terminal of a program that has ended; its exit code, if that is known. */
  end(): Promise<number | null>
}
