import { dirname } from 'node:path/posix'
import type { Options } from './options.ts'
import type { Field } from './state.ts'

export type Path = string | null

/** Files that one program touches; null for one that cannot be told. */
export interface Effects {
  readonly reads: readonly Path[]
  readonly writes: readonly Path[]
  readonly deletes: readonly Path[]
  /** What is written with all that is in it, if it is a directory. */
  readonly trees: readonly Path[]
  /** A directory of each work tree of which it gives up all that is not committed. */
  readonly resets: readonly Path[]
}

export interface Place {
  readonly directory: string | null
  readonly home: string | null
  /** The repository that `GIT_DIR` names. */
  readonly gitDirectory?: string | null
}

export const NO_EFFECTS: Effects = { reads: [], writes: [], deletes: [], trees: [], resets: [] }

/** A word as a path: absolute where the directory is known. Patterns of the shell stay in it, and `..`, which links lead astray. */
export function pathOf({ text, isKnown }: Field, { directory, home }: Place): Path {
  // `~-` is where the shell was before.
  if (!isKnown || text === '' || /^~-(?:\/|$)/.test(text)) return null
  const own = atHome(text, directory, home)
  const isPlaced = own.startsWith('/') || own.startsWith('~') || directory === null
  const path = (isPlaced ? own : `${directory}/${own}`).replace(/\/(?:\.?\/)+/g, '/').replace(/^(?:\.\/)+(?=.)/, '')
  return path.replace(/(?<=.)\/\.?$/, '')
}

/** `~`, `~+` is the directory itself, and somebody else's home lies beside one's own. */
function atHome(text: string, directory: string | null, home: string | null): string {
  const [, name] = /^~([\w+-]*)(?:\/|$)/.exec(text) ?? []
  if (name === '+' && directory !== null) return directory + text.slice(2)
  if (name === undefined || name === '+' || name === '-' || home === null) return text
  const whose = name === '' ? home : name === 'root' ? '/root' : `${dirname(home)}/${name}`
  return whose + text.slice(1 + name.length)
}

export interface Call {
  readonly program: string
  readonly options: Options
  readonly args: readonly Field[]
  readonly place: Place
}
export type Teller = (call: Call) => Partial<Effects>

export const paths = ({ place }: Call, fields: readonly Field[]): readonly Path[] =>
  fields.filter(({ text }) => text !== '-').map((each) => pathOf(each, place))

export const has = ({ options }: Call, ...flags: readonly string[]): boolean =>
  flags.some((flag) => options.flags.includes(flag))
export const given = ({ options }: Call, ...flags: readonly string[]): readonly Field[] =>
  flags.flatMap((flag) => options.values.get(flag) ?? [])
export const operands = (call: Call): readonly Path[] => paths(call, call.options.operands)
