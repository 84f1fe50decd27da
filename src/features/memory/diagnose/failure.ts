/** A command that did not succeed, with what it printed. */
export interface Failure {
  readonly command: string
  /** Unknown is null, never 0. */
  readonly exit: number | null
  /** Both streams, or as much of them as is known. */
  readonly output: string
}
