import { trimming } from '../../../base/shell/trimming.ts'
import type { ShellLine } from '../../../base/shell/line.ts'

/** Whoever writes so much knows what he wants. */
const LONG = 30
/** A command that fails more often here is not suggested. */
const SUCCEEDS = 0.6
const TOKEN_CHARS = 4

const PASSTHROUGHS = new Set(
  'ls pwd cd echo printf cat head tail less more grep egrep fgrep rg ag find fd wc tree stat file which type whoami date env printenv true false sleep clear history jq sort uniq cut awk sed diff du df ps touch git-status git-diff git-log git-show git-branch git-blame git-add git-rev-parse git-ls-files git-remote git-grep git-fetch git-stash'.split(
    ' ',
  ),
)

/** Looks or moves about: nothing is worth saying about it. */
export const isPassthrough = ({ program, stub }: Pick<ShellLine, 'program' | 'stub'>): boolean =>
  program === '' || PASSTHROUGHS.has(program) || PASSTHROUGHS.has(stub.replace(' ', '-'))

/** Without what moves into a directory or trims the output. */
export const isSpecific = ({ text }: Pick<ShellLine, 'text'>): boolean => trimming(text).core.length >= LONG

export const mostlySucceeds = (ok: number, failed: number): boolean => ok > 0 && ok >= SUCCEEDS * (ok + failed)

export const budgetOf = (tokens: number, kind: string): number => tokens * TOKEN_CHARS * (kind === 'primer' ? 2 : 1)

export const isCoolingDown = (lastAt: number | null, now: number, cooldownMs: number): boolean =>
  lastAt !== null && now - lastAt < cooldownMs
