import type { LineCache } from '../../../base/shell/line-cache.ts'
import type { ShellLine } from '../../../base/shell/line.ts'
import { leadsAway } from '../../../base/shell/places.ts'
import { trimming } from '../../../base/shell/trimming.ts'
import type { Book } from '../book/book.ts'
import { isSayable } from '../book/primer.ts'
import { isOfTheMoment } from '../book/variant.ts'
import { isPublishing } from '../diagnose/destructive.ts'
import type { Diagnosis } from '../diagnose/diagnose.ts'
import { type Fix, isSameCommand } from '../diagnose/fix.ts'
import type { Ground } from './ground.ts'
import { lineFrom } from './line-from.ts'
import { isHarmless, readChain, repairs } from './repairs.ts'

export const longestCommand = 200

/**
 * The fixes that an agent may be told, as they are to be run from `cwd` (null: from anywhere in the project).
 * Running the same again is always the agent's own choice.
 */
export const fixesToTell = (
  fixes: readonly Fix[],
  failed: ShellLine,
  cwd: string | null,
  ground: Ground,
): readonly Fix[] => {
  // Hooks decide whether these may run, and want something else to pass first.
  const isGated = failed.stub === 'git commit' || failed.stub === 'git push'
  return fixes.flatMap((fix) => {
    if (isSameCommand(fix.kind)) return fix
    const command = cwd === null ? (leadsAway(fix.command) ? null : fix.command) : lineFrom(fix.command, cwd, ground)
    if (command === null || !isSayable(command, longestCommand)) return []
    // Only an agent that tried to publish has decided that it is time.
    if (isPublishing(command) && !isPublishing(failed.text)) return []
    if (fix.kind === 'before') return repairs(command, isGated) ? { ...fix, command } : []
    // In place of the failed command: one command, and besides it only repairs.
    const chain = readChain(command)
    const [own, more] = chain !== null && chain.length > 1 ? chain.filter((each) => !isHarmless(each)) : []
    const isOne = more === undefined && (own === undefined || own.words[0]?.value === failed.program)
    return chain !== null && isOne ? { ...fix, command } : []
  })
}

interface Known {
  readonly book: Book
  readonly lines: LineCache
  readonly confidence: number
  readonly diagnosis: Diagnosis
}

/** The fix that is likely to help now, and did not merely precede a success that had other reasons. */
export const fixToOffer = (
  fixes: readonly Fix[],
  failed: ShellLine,
  { book, lines, confidence, diagnosis: { explanation, signature } }: Known,
): Fix | undefined => {
  // A check did not help if files were changed each time.
  const edited = fixes.find(({ kind }) => kind === 'edit')?.worked ?? 0
  return fixes.find(({ kind, command, worked, tried, against, score }) => {
    // Failing tests and compile errors are mended in files: one success there is chance.
    if (explanation !== undefined && !explanation.isTelling && worked < 2) return false
    if (score < confidence && (against !== 'error' || worked !== tried || signature.line === '')) return false
    if (kind === 'edit' || !isSayable(command, longestCommand)) return false
    if (kind === 'again') return worked > 1
    if (kind === 'before' && !repairs(command) && worked <= edited) return false
    const line = lines.read(command)
    // A fix that names things of another day must have run here more than once.
    const isGeneral = line.slots.every(
      ({ kind: slot, text }) =>
        slot === 'word' || /^\.(?:\/\.\.\.)?$/.test(text) || failed.slots.some((other) => other.text === text),
    )
    const runs = book.runs(line, null)
    if (!isGeneral && (runs === null || runs.ok + runs.piped <= 1)) return false
    return kind === 'before' || isSameOtherwise(line.text, failed.text)
  })
}

const asksOnly = /(?:^|\s)(?:--help|-h|help|--version|version|--dry-run)(?:\s|$)/

/** Whether a line has every word of the failed one, with other flags or in a wrapper. */
const isSameOtherwise = (text: string, failedText: string): boolean => {
  const [core, failed] = [trimming(text).core, trimming(failedText).core]
  if (asksOnly.test(text) || failed.includes(core)) return false
  const [now, before] = [core.split(' '), failed.split(' ')]
  if (now.some((word) => word.startsWith('-') && !before.includes(word) && isOfTheMoment(word))) return false
  // A program may be named with its path.
  return before.every(
    (word) =>
      word.startsWith('-') ||
      now.some((other) => other === word || other.endsWith(`/${word}`) || word.endsWith(`/${other}`)),
  )
}
