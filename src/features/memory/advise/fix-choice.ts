import type { LineCache } from '../../../base/shell/line-cache.ts'
import type { ShellLine } from '../../../base/shell/line.ts'
import { leadsAway } from '../../../base/shell/places.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import type { Book } from '../book/book.ts'
import { isSayable } from '../book/primer.ts'
import { isOfTheMoment } from '../book/variant.ts'
import { isPublishing } from '../diagnose/destructive.ts'
import type { Diagnosis } from '../diagnose/diagnose.ts'
import type { Fix, FixKind } from '../diagnose/fix.ts'
import { isSameCommand } from '../diagnose/fix-table.ts'
import { type Ground, lineFrom } from './line-from.ts'
import { chainOf, isHarmless, repairs } from './repairs.ts'

export const LONGEST_COMMAND = 200

interface Known {
  readonly book: Book
  readonly lines: LineCache
  readonly confidence: number
  readonly diagnosis: Diagnosis
}

/**
 * Of what helped, what an agent may be told, as it is to be run from `cwd` (null: from anywhere in the project).
 * What was only run again is its own choice.
 */
export const fixesToTell = (
  fixes: readonly Fix[],
  failed: ShellLine,
  cwd: string | null,
  ground: Ground,
): readonly Fix[] =>
  fixes.flatMap((fix) => {
    if (isSameCommand(fix.kind)) return fix
    const command = cwd === null ? (leadsAway(fix.command) ? null : fix.command) : lineFrom(fix.command, cwd, ground)
    return command === null || !isTellable(fix.kind, command, failed) ? [] : { ...fix, command }
  })

/** Whoever tries to publish has decided that it is time. */
function isTellable(kind: FixKind, command: string, failed: ShellLine): boolean {
  if (!isSayable(command, LONGEST_COMMAND) || (isPublishing(command) && !isPublishing(failed.text))) return false
  return kind === 'before' ? repairs(command, isGated(failed)) : isOneWithRepairs(command, failed)
}

/** Whether it may be done is decided by hooks, which want something to have passed before. */
const isGated = ({ stub }: ShellLine): boolean => stub === 'git commit' || stub === 'git push'

/** In place of the failed command: one command, and else only what repairs. */
function isOneWithRepairs(command: string, failed: ShellLine): boolean {
  const chain = chainOf(command)
  if (chain === null || chain.length < 2) return chain !== null
  const [own, more] = chain.filter((each) => !isHarmless(each))
  return more === undefined && (own === undefined || own.words[0]?.value === failed.program)
}

/** What helped before, if it is likely to help now, and not only came before a success that had other reasons. */
export function fixToOffer(fixes: readonly Fix[], failed: ShellLine, known: Known): Fix | undefined {
  // What only checks has not helped where files were changed each time.
  const edited = fixes.find(({ kind }) => kind === 'edit')?.worked ?? 0
  return fixes.find((fix) => {
    if (!isLikely(fix, known) || !isSayable(fix.command, LONGEST_COMMAND)) return false
    if (fix.kind === 'edit') return false
    if (fix.kind === 'again') return fix.worked > 1
    if (fix.kind === 'before' && !repairs(fix.command) && fix.worked <= edited) return false
    const line = known.lines.read(fix.command)
    return isGeneral(line, failed, known.book) && (fix.kind === 'before' || isSameOtherwise(line, failed))
  })
}

/** Failing tests and code that does not compile are mended in files: there, once is chance. */
function isLikely(
  { worked, tried, against, score }: Fix,
  { diagnosis: { explanation, signature }, confidence }: Known,
): boolean {
  if (explanation !== undefined && !explanation.isTelling && worked < 2) return false
  return score >= confidence || (against === 'error' && worked === tried && signature.line !== '')
}

/** Names nothing that belongs to another day, unless that is run here again and again. */
function isGeneral(line: ShellLine, failed: ShellLine, book: Book): boolean {
  const own = line.slots.filter(
    ({ kind, text }) =>
      kind !== 'word' && !/^\.(?:\/\.\.\.)?$/.test(text) && !failed.slots.some((slot) => slot.text === text),
  )
  const runs = book.runs(line, null)
  return own.length === 0 || (runs !== null && runs.ok + runs.piped > 1)
}

const words = ({ text }: ShellLine): readonly string[] => trimming(text).core.split(' ')
const ASKS = /(?:^|\s)(?:--help|-h|help|--version|version|--dry-run)(?:\s|$)/

/** All that the failed command was about is in it, with other flags or in a wrapper. */
function isSameOtherwise(line: ShellLine, failed: ShellLine): boolean {
  const now = words(line)
  const before = words(failed)
  if (ASKS.test(line.text) || trimming(failed.text).core.includes(trimming(line.text).core)) return false
  const added = now.filter((word) => word.startsWith('-') && !before.includes(word))
  return (
    !added.some(isOfTheMoment) &&
    before.every((word) => word.startsWith('-') || now.some((other) => isSame(other, word)))
  )
}

/** A program may be named with the way to it. */
const isSame = (one: string, other: string): boolean =>
  one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`)
