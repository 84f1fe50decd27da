import { resolve } from 'node:path'
import { flatten, type SimpleCommand } from '../../../base/shell/flatten.ts'
import { isDestructive } from '../diagnose/destructive.ts'
import type { Ground } from './ground.ts'

interface Rewrite {
  readonly command: string
  readonly reason: string
}

const plainPath = /^[\w./@+,:=-]+$/
/** A program that uses a directory as a lock wants `mkdir` to fail. */
const lockName = /lock|mutex|semaphore/i
/** A line that negates a failure may want it. */
const negation = /(?:^|\s)!(?:\s|$)/
/** Other programs could damage files in a directory that was thought to be new. */
const movers: ReadonlySet<string> = new Set(['cd', 'pushd', 'ls', 'pwd'])
/** Puts something into a new directory; any other program may depend on having made it. */
const fillers: ReadonlySet<string> = new Set([...movers, 'touch', 'cp', 'mv', 'ln'])

/** A line that is known to fail as it stands, rewritten so that it does not; all its words are kept. */
export const rewriteOf = (command: string, cwd: string, entryAt: Ground['entryAt']): Rewrite | null => {
  if (isDestructive(command) || !/\bmkdir\b/.test(command) || negation.test(command)) return null
  const pieces = flatten(command)
  if (pieces.some((piece) => 'joint' in piece && piece.joint !== '&&')) return null
  const chain = pieces.flatMap((piece) => ('command' in piece ? [piece.command] : []))
  const at = chain.findIndex(({ words }) => words[0]?.text === 'mkdir')
  const made = chain[at]
  if (made === undefined) return null
  let base = cwd
  // Any program but `cd` before it may change what exists.
  for (const { words, redirects } of chain.slice(0, at)) {
    const [program, target, more] = words.map(({ text }) => text)
    if ((program !== 'cd' && program !== 'pushd') || redirects.length > 0) return null
    if (target === undefined || more !== undefined || !plainPath.test(target) || target === '-') return null
    base = resolve(base, target)
    if (entryAt(base) !== 'directory') return null
  }
  const why = explainFailure(made, base, entryAt, chain.slice(at + 1))
  if (why === null) return null
  const end = (made.words[0]?.pos ?? 0) + 'mkdir'.length
  return {
    command: `${command.slice(0, end)} -p${command.slice(end)}`,
    reason: `Rein ran \`mkdir -p\` in place of \`mkdir\`: ${why}.`,
  }
}

/** Null if `mkdir` does not fail, if that cannot be told, or if it is meant to. */
const explainFailure = (
  { assignments, words, redirects }: SimpleCommand,
  base: string,
  entryAt: Ground['entryAt'],
  after: readonly SimpleCommand[],
): string | null => {
  const operands = words.slice(1).map(({ text }) => text)
  if (assignments.length + redirects.length > 0 || operands.length === 0) return null
  if (operands.some((word) => word.startsWith('-') || !plainPath.test(word) || lockName.test(word))) return null
  const areAll = (programs: ReadonlySet<string>): boolean =>
    after.every((next) => next.redirects.length === 0 && programs.has(next.words[0]?.text ?? ''))
  const paths = operands.map((word) => resolve(base, word))
  const entries = paths.map(entryAt)
  if (entries.includes('other')) return null
  if (entries.includes('directory') && !areAll(movers)) return null
  if (entries.includes('directory'))
    return paths.length === 1 ? 'the directory is there already' : 'one of them is there already'
  const isMissing = paths.map((path) => resolve(path, '..')).some((up) => entryAt(up) === null && !paths.includes(up))
  return isMissing && areAll(fillers) ? 'the directory above it is missing' : null
}
