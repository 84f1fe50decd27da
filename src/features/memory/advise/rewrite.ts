import { resolve } from 'node:path'
import { flatten, type Piece, type SimpleCommand } from '../../../base/shell/flatten.ts'
import { isDestructive } from '../diagnose/destructive.ts'

export interface Rewrite {
  readonly command: string
  readonly reason: string
}

/** What is there under a path, links followed; null if nothing is. */
export type EntryAt = (path: string) => 'directory' | 'other' | null

const PLAIN = /^[\w./@+,:=-]+$/
/** Whoever makes such a directory wants to be told that it was there already. */
const LOCK = /lock|mutex|semaphore/i

/** Who turns a failure into success may want it. */
const NEGATED = /(?:^|\s)!(?:\s|$)/

/** A line that is known to fail as it stands, and the same line so that it does not; its words are kept as they are. */
export function rewriteOf(command: string, cwd: string, entryAt: EntryAt): Rewrite | null {
  if (isDestructive(command) || !/\bmkdir\b/.test(command) || NEGATED.test(command)) return null
  const chain = chainOf(flatten(command))
  const at = chain?.findIndex(({ words }) => words[0]?.text === 'mkdir') ?? -1
  const made = chain?.[at]
  const base = chain === null ? null : directoryAt(chain.slice(0, at), cwd, entryAt)
  if (made === undefined || base === null) return null
  const why = failure(made, base, entryAt, chain?.slice(at + 1) ?? [])
  if (why === null) return null
  const end = (made.words[0]?.pos ?? 0) + 'mkdir'.length
  return {
    command: `${command.slice(0, end)} -p${command.slice(end)}`,
    reason: `Rein ran \`mkdir -p\` in place of \`mkdir\`: ${why}.`,
  }
}

/** Null unless each command is run only if the one before it succeeded. */
function chainOf(pieces: readonly Piece[]): readonly SimpleCommand[] | null {
  if (pieces.some((piece) => 'joint' in piece && piece.joint !== '&&')) return null
  return pieces.flatMap((piece) => ('command' in piece ? [piece.command] : []))
}

/** Null if it cannot be told, or if more is done before than going to what is there: that may change what will be. */
function directoryAt(before: readonly SimpleCommand[], cwd: string, entryAt: EntryAt): string | null {
  let directory = cwd
  for (const { words, redirects } of before) {
    const [program, target, more] = words.map(({ text }) => text)
    if ((program !== 'cd' && program !== 'pushd') || redirects.length > 0) return null
    if (target === undefined || more !== undefined || !PLAIN.test(target) || target === '-') return null
    directory = resolve(directory, target)
    if (entryAt(directory) !== 'directory') return null
  }
  return directory
}

/** Why it fails; null if it does not, if that cannot be told, or if it is meant to. */
function failure(
  { assignments, words, redirects }: SimpleCommand,
  base: string,
  entryAt: EntryAt,
  after: readonly SimpleCommand[],
): string | null {
  const operands = words.slice(1).map(({ text }) => text)
  if (assignments.length + redirects.length > 0 || operands.length === 0) return null
  if (operands.some((word) => word.startsWith('-') || !PLAIN.test(word) || LOCK.test(word))) return null
  const paths = operands.map((word) => resolve(base, word))
  const entries = paths.map(entryAt)
  if (entries.includes('other')) return null
  if (entries.includes('directory')) return areAll(after, MOVES) ? thereAlready(paths) : null
  const isMissing = paths.map((path) => resolve(path, '..')).some((up) => entryAt(up) === null && !paths.includes(up))
  return isMissing && areAll(after, FILLS) ? 'the directory above it is missing' : null
}

const thereAlready = (paths: readonly string[]): string =>
  paths.length === 1 ? 'the directory is there already' : 'one of them is there already'

/** What goes on in a directory that was thought to be new could spoil what is in it. */
const MOVES: ReadonlySet<string> = new Set(['cd', 'pushd', 'ls', 'pwd'])
/** Puts something into a new directory; anything else may be what only one who made it is to do. */
const FILLS: ReadonlySet<string> = new Set([...MOVES, 'touch', 'cp', 'mv', 'ln'])

const areAll = (commands: readonly SimpleCommand[], programs: ReadonlySet<string>): boolean =>
  commands.every(({ words, redirects }) => redirects.length === 0 && programs.has(words[0]?.text ?? ''))
