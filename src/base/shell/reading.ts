/** One program that a line runs, wherever it stands in it: in a pipeline, a substitution, `bash -c`, `xargs`, `find -exec`. */
export interface RunProgram {
  /** Its name without directory, as the shell would find it: quotes, escapes and known variables are resolved. */
  readonly program: string
  /** What it gets after its name. A word that only the shell can tell is as it was written. */
  readonly args: readonly string[]
  /** Those of its words that only the shell can tell, as they were written. */
  readonly untold: readonly string[]
  /** `push`, `stash drop`; empty where it has none. */
  readonly subcommand: string
  /** `-rf` is `-rf`, `-r` and `-f`; `--force=x` is `--force`, and so is `--forc` where the program takes it for that. */
  readonly flags: readonly string[]
  /** Neither flags, nor what a flag is given, nor the subcommand. */
  readonly operands: readonly string[]
  /**
   * Files that it touches: absolute where the directory is known, else as written; null for one that cannot be told.
   * Patterns of the shell stay in them: `rm src/*.o` deletes `/shop/src/*.o`; what `find` finds below has `**` in it.
   * By `ssh`, `docker` and the like (see `via`) they are files of another place.
   */
  readonly reads: readonly (string | null)[]
  readonly writes: readonly (string | null)[]
  readonly deletes: readonly (string | null)[]
  /** What it writes with all that is in it, if it is a directory. */
  readonly trees: readonly (string | null)[]
  /** A directory of each work tree of which it gives up all that is not committed: `git reset --hard`. */
  readonly resets: readonly (string | null)[]
  /** The programs that its output goes to, however far down the pipeline, or that run it as code. */
  readonly pipesTo: readonly string[]
  /** What it is run by: `sudo`, `bash`, `xargs`, `ssh`, the name of a function. */
  readonly via: readonly string[]
  /** Where it stands, a line that ended well says that this did: see `succeededIn`. */
  readonly isDecisive: boolean
  /** Where it stands in the line that was read. */
  readonly span: { readonly start: number; readonly end: number }
}

/** A function that starts itself twice at once is read as a program of this name. */
export const FORK_BOMB = 'fork-bomb'
/** A program that may do anything with what it is given is noted once more under this name, with what that is: see `handedTo`. */
export const UNKNOWN_PROGRAM = 'unknown-program'

/** Why nobody can tell what a part of a line does. */
export type OpaqueKind =
  /** Not a line of a shell, longer or deeper than is read, or of too many commands. */
  | 'unparsable'
  | 'too long'
  | 'too deep'
  | 'too many'
  /** Of more work than is spent on one line: see `LINE_UNITS`. */
  | 'too costly'
  /** The name of the program comes from a variable or a substitution. */
  | 'dynamic program'
  /** What is run is made at run time: `eval "$x"`, `base64 -d | sh`, `curl … | sh`, `source <(…)`. */
  | 'dynamic code'
  /** Code of another language that starts programs: `python -c 'os.system(…)'`. */
  | 'foreign code'

export interface Opaque {
  readonly kind: OpaqueKind
  readonly text: string
}

/** All that can be told of a line without running it. */
export interface ShellReading {
  readonly runs: readonly RunProgram[]
  readonly opaque: readonly Opaque[]
}

/** What a line is read with. */
export interface ReadingContext {
  /** The directory that it is run in; null where nobody knows. */
  readonly cwd: string | null
  readonly home: string | null
  /** Variables of its environment that are known. */
  readonly variables?: Readonly<Record<string, string>>
}
