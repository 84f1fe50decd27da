import type { Function as ShellFunction } from 'unbash'
import type { WorkBudget } from '../util/work-budget.ts'

/** One word of a command as the program gets it. */
export interface Field {
  readonly text: string
  /** Otherwise it is as it was written, and only the shell can tell what it becomes. */
  readonly isKnown: boolean
  /** The shell puts names of files in its place. */
  readonly isPattern: boolean
}

export const field = (text: string): Field => ({ text, isKnown: true, isPattern: false })
/** The value of a word that only the shell can tell. */
export const unknown = (text: string): Field => ({ text, isKnown: false, isPattern: false })

/** A file that the line has written: its text if that can be told, and which programs wrote it. */
export interface WrittenFile {
  readonly text: string | null
  /** It comes from the network. */
  readonly isDownload: boolean
  readonly writers: readonly { readonly pipesTo: string[]; readonly args?: readonly string[] }[]
  /** The line has changed what it had written, so that nobody can tell what it is now. */
  readonly isChanged?: boolean
  /** Whoever reads it may have begun before it was written. */
  readonly isFifo?: boolean
}

/** What a shell knows at one place of a line. */
export interface ShellState {
  /** The values that a variable may have; null where nobody can tell. */
  readonly variables: Map<string, readonly string[] | null>
  readonly arrays: Map<string, readonly Field[]>
  readonly functions: Map<string, ShellFunction>
  readonly aliases: Map<string, string>
  /** Those of git that the line has set. */
  readonly gitAliases: Map<string, string>
  /** Other names that the line has given to programs. */
  readonly copies: Map<string, string>
  readonly files: Map<string, WrittenFile>
  /** Where the links lead to that the line has made. */
  readonly links: Map<string, string>
  /** `$1`, `$2` …; null where nobody can tell. */
  positional: readonly Field[] | null
  /** `$0`. */
  name: Field
  directory: string | null
  /** Something from the network was unpacked or cloned. */
  isFetched: boolean
  /** The repository that the line has named by `GIT_DIR`. */
  gitDirectory: string | null
  /** Git is led to settings that the line does not show. */
  isGitElsewhere: boolean
  /** `set -o pipefail`. */
  isPipefail: boolean
  readonly home: string | null
  /** What reading the line may still cost. */
  readonly work: WorkBudget
}

/** What keeping a word costs besides its letters. */
export const WORD_UNITS = 16

export const costOf = (fields: readonly Field[]): number =>
  fields.reduce((sum, { text }) => sum + WORD_UNITS + text.length, 0)

export function newState(
  directory: string | null,
  home: string | null,
  work: WorkBudget,
  environment: Readonly<Record<string, string>> = {},
): ShellState {
  const variables = new Map<string, readonly string[] | null>([
    ['IFS', [' \t\n']],
    ['SHELL', ['/bin/bash']],
    ['BASH', ['/bin/bash']],
    ['HOME', [home ?? '~']],
    ['TMPDIR', ['/tmp']],
    ...Object.entries(environment).map(([name, value]): [string, readonly string[]] => [name, [value]]),
  ])
  return {
    variables,
    arrays: new Map(),
    functions: new Map(),
    aliases: new Map(),
    gitAliases: new Map(),
    copies: new Map(),
    files: new Map(),
    links: new Map(),
    positional: [],
    name: field('bash'),
    directory,
    isFetched: false,
    gitDirectory: null,
    isGitElsewhere: false,
    isPipefail: false,
    home,
    work,
  }
}

const MOST_VALUES = 16
/** A line that doubles a variable again and again must not fill the memory. */
export const LONGEST_VALUE = 4_096

/** In a branch or a loop a variable may also keep the value that it had. */
export function assign(state: ShellState, name: string, values: readonly string[] | null, isCertain: boolean): void {
  const before = isCertain ? [] : (state.variables.get(name) ?? [])
  state.work.spend(WORD_UNITS * ((values?.length ?? 0) + 1))
  const all = values === null ? null : [...new Set([...before, ...values])]
  const isKept = all !== null && all.length <= MOST_VALUES && all.every(({ length }) => length <= LONGEST_VALUE)
  state.variables.set(name, isKept ? all : null)
}

const MOST_POSITIONAL = 200

export function setPositional(state: ShellState, args: readonly Field[] | null): void {
  state.positional = args === null || args.length > MOST_POSITIONAL ? null : args
}
