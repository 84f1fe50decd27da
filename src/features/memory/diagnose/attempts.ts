import type { ShellLine } from '../../../base/shell/line.ts'
import type { Attempt, FailedRun, Lesson, Ran } from './fix.ts'

interface OpenFailure {
  readonly failed: FailedRun
  age: number
  edited: boolean
  /** Successful commands since then. */
  between: Ran[]
}

/** A failure is followed for so many commands; a later success has other reasons. */
const mostFollowed = 10
const mostOpen = 8
const mostBetween = 3

/** Programs that only look: they never make the difference. */
const lookers = new Set(
  'ls cat head tail grep rg egrep fgrep ag find fd pwd echo printf wc tree stat file du df ps which type printenv jq awk sed sort less nl bat date whoami sleep true [ git-status git-log git-diff git-show git-branch git-grep git-blame git-ls-files git-rev-parse git-remote'.split(
    ' ',
  ),
)

/** Words before a command that only ask about it or fetch it. */
const asksAbout = /(?:^|\s)(?:install|add|which|type|man|help|show|list|search|info|view|echo|-v)(?:\s|$)/

const acts = ({ line: { stub, program } }: Ran): boolean =>
  stub !== '' && !lookers.has(program) && !lookers.has(stub.replace(' ', '-'))

/** The same program, or the whole failed command in a wrapper: `npx tsc` for `tsc`, `uv run pytest x` for `pytest x`. */
const doesTheSame = (failed: ShellLine, ran: ShellLine): boolean => {
  if (failed.stub === ran.stub) return true
  const before = ran.text.slice(0, -failed.text.length)
  return failed.text !== '' && ran.text.endsWith(failed.text) && /[ /]$/.test(before) && !asksAbout.test(before)
}

/** Follows the failures of one conversation or shell until the same program succeeds, or for too long. */
export class Attempts {
  #open: OpenFailure[] = []

  /** Files were changed. */
  edited(): void {
    for (const open of this.#open) open.edited = true
  }

  succeeded(ran: Ran): readonly Lesson[] {
    const { program, flags, template } = ran.line
    const lessons = this.#close(({ failed: { line } }) => doesTheSame(line, ran.line), ran, true)
    // Writes a file by itself: `sed -i`, `cat > x <<EOF`.
    const isEdit =
      ((program === 'sed' || program === 'perl') && flags.some((flag) => flag.startsWith('-i'))) ||
      (template.includes('<<HEREDOC') && />/.test(template.replace('<<HEREDOC', ''))) ||
      program === 'patch' ||
      program === 'apply_patch'
    if (isEdit) this.edited()
    else if (acts(ran)) for (const open of this.#open) open.between = [...open.between, ran].slice(-mostBetween)
    return lessons
  }

  failed(failed: FailedRun): readonly Lesson[] {
    const lessons = this.#close(({ failed: { signature } }) => signature.key === failed.signature.key, failed, false)
    if (acts(failed)) this.#open = [...this.#open, { failed, age: 0, edited: false, between: [] }].slice(-mostOpen)
    return lessons
  }

  /** The result of the command is unknown. */
  ran(ran: Ran): readonly Lesson[] {
    return this.#close(() => false, ran, false)
  }

  /** Closes the failures that this command decides, and those that were followed for too long without success. */
  #close(decides: (open: OpenFailure) => boolean, ran: Ran, worked: boolean): readonly Lesson[] {
    const lessons: Lesson[] = []
    this.#open = this.#open.filter((open) => {
      open.age += 1
      if (decides(open)) lessons.push({ failed: open.failed, attempts: listAttempts(open, ran), worked })
      else if (open.age >= mostFollowed) lessons.push({ failed: open.failed, attempts: [], worked: false })
      else return true
      return false
    })
    return lessons
  }
}

/** Only the very same command tells what was done before it; where files were changed, the spelling did not matter. */
const listAttempts = ({ failed: { line }, between, edited }: OpenFailure, ran: Ran): readonly Attempt[] => {
  // A commit with another message is the same commit.
  const isSameCommit = line.stub === 'git commit' && line.template === ran.line.template
  const isSame = ran.line.text === line.text || (between.length > 0 && isSameCommit)
  const distinct = new Map(isSame ? between.map((each) => [each.line.template, each]) : [])
  const before = [...distinct.values()].map((each): Attempt => ({ kind: 'before', ran: each }))
  if (edited) return [{ kind: 'edit', ran }, ...before]
  if (!isSame) return [{ kind: 'instead', ran }]
  return before.length > 0 ? before : [{ kind: 'again', ran }]
}
