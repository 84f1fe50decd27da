/** A failure that happens everywhere. The YAML tables beside this file list them, one table for each family. */
export interface KnownFailure {
  readonly name: string
  /** One of these is run in the line; left out: whatever is run. */
  readonly programs?: readonly string[]
  readonly exits?: readonly number[]
  /** One of these is in the output. Named groups fill the `{name}` of what is said. */
  readonly output?: readonly RegExp[]
  /** Said by many programs: looked at when none of them is known to have said it. */
  readonly general?: true
  /** Says only that something failed: looked at when nothing else is known. */
  readonly vague?: true
  /** Says no more than the output does to whoever reads it. */
  readonly obvious?: true
  /** What it usually means, in one sentence. */
  readonly means: string
  /** What to run, best first: looks and repairs, never destroys. */
  readonly run: readonly string[]
  /** As the tool really prints it. */
  readonly sample: { readonly command: string; readonly exit: number; readonly output: string }
}
