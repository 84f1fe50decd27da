import { readLine } from '../../../base/shell/line.ts'
import { readShell } from '../../../base/shell/read.ts'

/** One thing that a person did or said, or that failed, with when and where. */
export interface Evidence {
  at: number
  /** The handle of the agent that it was about. */
  who: string
  /** What exactly, as data: it is quoted, never followed. */
  what: string
}

/** Program, subcommand and flags: what commands have in common that differ in the rest. */
interface CommandKind {
  program: string
  subcommand: string
  flags: readonly string[]
}

export const kindOf = (command: string): CommandKind => {
  const { program, stub, flags } = readLine(command)
  const subcommand = stub.slice(program.length).trim()
  // `npm run deploy` and `npm run lint` have nothing in common.
  const { runs } = subcommand === 'run' ? readShell(command, { cwd: null, home: null }) : { runs: [] }
  return {
    program,
    subcommand: runs.find((run) => run.program === program)?.subcommand ?? subcommand,
    flags: flags.map((flag) => flag.split('=', 1)[0] ?? flag),
  }
}

/** What all of them have. */
export const commonKind = (commands: readonly string[]): CommandKind | null => {
  const [first, ...others] = commands.map(kindOf)
  if (first === undefined || first.program === '') return null
  const flags = first.flags.filter((flag) => others.every((other) => other.flags.includes(flag)))
  return { ...first, flags: [...new Set(flags)] }
}

/** Those of equal keys together, in the order in which they came. */
export const grouped = <T>(items: Iterable<T>, keyOf: (item: T) => string): T[][] => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return [...groups.values()]
}

const longest = 160

/** On one line, cut. */
export const plain = (text: string): string => {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

export const quoted = (text: string): string => JSON.stringify(plain(text))
