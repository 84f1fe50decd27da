import type { LineCache } from '../../shell/line-cache.ts'
import type { ShellLine } from '../../shell/line.ts'
import { leadsAway } from '../../shell/places.ts'
import { trimming } from '../../shell/trimming.ts'
import type { Book } from '../book/book.ts'
import { isSayable } from '../book/primer.ts'
import { taskOf } from '../book/task.ts'
import { isOfTheMoment } from '../book/variant.ts'
import type { Diagnosis } from '../diagnose/diagnose.ts'
import type { Fix } from '../diagnose/fix.ts'
import { isSameCommand } from '../diagnose/fix-table.ts'
import { type Ground, lineFrom } from './line-from.ts'

export const LONGEST_COMMAND = 200

interface Known {
  readonly book: Book
  readonly lines: LineCache
  readonly confidence: number
}

/** What helped, as it is to be run from here; without what leads elsewhere. What was run again is where it was. */
export const fixesFrom = (fixes: readonly Fix[], cwd: string | null, ground: Ground): readonly Fix[] =>
  fixes.flatMap((fix) => {
    if (isSameCommand(fix.kind)) return fix
    const command = cwd === null ? (leadsAway(fix.command) ? null : fix.command) : lineFrom(fix.command, cwd, ground)
    return command === null ? [] : { ...fix, command }
  })

/** What helped before, if it is likely to help now, and not only came before a success that had other reasons. */
export function fixToOffer(diagnosis: Diagnosis, failed: ShellLine, known: Known): Fix | undefined {
  return diagnosis.fixes.find((fix) => {
    if (!isLikely(fix, diagnosis, known.confidence) || !isSayable(fix.command, LONGEST_COMMAND)) return false
    if (fix.kind === 'edit') return false
    if (fix.kind === 'again') return fix.worked > 1
    const line = known.lines.read(fix.command)
    return (
      isGeneral(line, failed, known.book) && (fix.kind === 'before' ? repairs(line) : isSameOtherwise(line, failed))
    )
  })
}

/** Failing tests and code that does not compile are mended in files: there, once is chance. */
function isLikely({ worked, tried, against, score }: Fix, { explanation, signature }: Diagnosis, confidence: number) {
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

const INTERPRETERS = /^(?:python[\d.]*|node|bash|sh|zsh|ruby|perl|php|bun|deno|tsx)$/
const words = ({ text }: ShellLine): readonly string[] => trimming(text).core.split(' ')

/** Neither a look at the same again nor a script of the moment. */
function repairs(line: ShellLine): boolean {
  const task = taskOf(words(line))
  if (task?.purpose === 'test' || task?.purpose === 'run') return false
  if (task?.purpose === 'lint') return line.flags.some((flag) => /^--(?:fix|write)/.test(flag))
  return task !== null || !INTERPRETERS.test(line.program) || line.flags[0] === '-m'
}

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
