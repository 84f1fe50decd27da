import type { ShellLine } from '../../../base/shell/line.ts'
import type { Attempt, FailedRun, Lesson, Ran } from './fix.ts'

interface OpenFailure {
  readonly failed: FailedRun
  age: number
  edited: boolean
  /** What was done since, and succeeded. */
  between: Ran[]
}

/** A failure is followed for so many commands; later success has other reasons. */
const FOLLOWED = 10
const MOST_OPEN = 8
const MOST_BETWEEN = 3

/** Only looks: never what made the difference. */
const LOOKS = new Set(
  'ls cat head tail grep rg egrep fgrep ag find fd pwd echo printf wc tree stat file du df ps which type printenv jq awk sed sort less nl bat date whoami sleep true [ git-status git-log git-diff git-show git-branch git-grep git-blame git-ls-files git-rev-parse git-remote'.split(
    ' ',
  ),
)

const acts = ({ line: { stub, program } }: Ran): boolean =>
  stub !== '' && !LOOKS.has(program) && !LOOKS.has(stub.replace(' ', '-'))

/** Writes a file by itself: `sed -i`, `cat > x <<EOF`. */
const edits = ({ line: { program, flags, template } }: Ran): boolean =>
  ((program === 'sed' || program === 'perl') && flags.some((flag) => flag.startsWith('-i'))) ||
  (template.includes('<<HEREDOC') && />/.test(template.replace('<<HEREDOC', ''))) ||
  program === 'patch' ||
  program === 'apply_patch'

/** Words before a command that only ask about it or fetch it. */
const ABOUT = /(?:^|\s)(?:install|add|which|type|man|help|show|list|search|info|view|echo|-v)(?:\s|$)/

/** The same program, or the whole failed command within another one: `npx tsc` for `tsc`, `uv run pytest x` for `pytest x`. */
const doesTheSame = (failed: ShellLine, ran: ShellLine): boolean => {
  if (failed.stub === ran.stub) return true
  const before = ran.text.slice(0, -failed.text.length)
  return failed.text !== '' && ran.text.endsWith(failed.text) && /[ /]$/.test(before) && !ABOUT.test(before)
}

/** Follows the failures of one conversation or shell until the same program succeeds, or for too long. */
export class Attempts {
  #open: OpenFailure[] = []

  /** Files were changed. */
  edited(): void {
    for (const open of this.#open) open.edited = true
  }

  succeeded(ran: Ran): readonly Lesson[] {
    const lessons = this.#close(({ failed: { line } }) => doesTheSame(line, ran.line), ran, true)
    if (edits(ran)) this.edited()
    else if (acts(ran)) for (const open of this.#open) open.between = [...open.between, ran].slice(-MOST_BETWEEN)
    return lessons
  }

  failed(failed: FailedRun): readonly Lesson[] {
    const lessons = this.#close(({ failed: { signature } }) => signature.key === failed.signature.key, failed, false)
    if (acts(failed)) this.#open = [...this.#open, { failed, age: 0, edited: false, between: [] }].slice(-MOST_OPEN)
    return lessons
  }

  /** Nobody knows how it ended. */
  ran(ran: Ran): readonly Lesson[] {
    return this.#close(() => false, ran, false)
  }

  /** Ends those that this command decides, and those that were followed for long enough without success. */
  #close(decides: (open: OpenFailure) => boolean, ran: Ran, worked: boolean): readonly Lesson[] {
    const lessons: Lesson[] = []
    this.#open = this.#open.filter((open) => {
      open.age += 1
      if (decides(open)) lessons.push({ failed: open.failed, attempts: attemptsOf(open, ran), worked })
      else if (open.age >= FOLLOWED) lessons.push({ failed: open.failed, attempts: [], worked: false })
      else return true
      return false
    })
    return lessons
  }
}

/** Another message makes no other commit of it. */
const isSameCommit = (failed: ShellLine, ran: ShellLine): boolean =>
  failed.stub === 'git commit' && failed.template === ran.template

/** Only the very same command tells what was done before it; and where files were changed, it was not the spelling. */
const attemptsOf = ({ failed, between, edited }: OpenFailure, ran: Ran): readonly Attempt[] => {
  const isSame = ran.line.text === failed.line.text || (between.length > 0 && isSameCommit(failed.line, ran.line))
  const distinct = isSame ? new Map(between.map((each) => [each.line.template, each])) : new Map<string, Ran>()
  const before = [...distinct.values()].map((each): Attempt => ({ kind: 'before', ran: each }))
  if (edited) return [{ kind: 'edit', ran }, ...before]
  if (!isSame) return [{ kind: 'instead', ran }]
  return before.length > 0 ? before : [{ kind: 'again', ran }]
}
