import { normalize } from 'node:path/posix'
import type { WorkBudget } from '../util/work-budget.ts'
import { LONGEST_PRINTED } from './printed.ts'
import type { RunProgram } from './reading.ts'
import type { Input } from './setting.ts'
import { type ShellState, WORD_UNITS, type WrittenFile } from './state.ts'

/** A program that is noted, while more is learned of where its output goes. */
export interface Run extends RunProgram {
  readonly pipesTo: string[]
}

const DOWNLOADERS = new Set(['curl', 'wget', 'wget2', 'aria2c', 'axel', 'http', 'https', 'xh', 'scp', 'sftp'])
const UNPACKS = /^(?:g?tar|bsdtar|unzip|7z|cpio|gunzip|unxz)$/
const ADDRESS = /^(?:[a-z+]+:\/\/|[\w.-]+@[\w.-]+:|gh:)/

/** What the line itself has written to a file, however it names it. */
export const writtenTo = ({ files }: ShellState, path: string | null): WrittenFile | undefined =>
  path === null ? undefined : files.get(normalize(path))

/** Keeps what a line writes to files, because it may run them. */
export function remember(
  state: ShellState,
  paths: readonly (string | null)[],
  text: string | null,
  writers: readonly Run[],
  isAppending = false,
  isFromPipe = false,
): void {
  for (const path of paths) {
    if (path === null) continue
    const before = isAppending ? writtenTo(state, path) : undefined
    state.work.spend(WORD_UNITS + path.length + writers.length + (before?.writers.length ?? 0))
    const whole = appended(before?.text, text, state.work)
    const isDownload =
      isFromPipe || before?.isDownload === true || writers.some(({ program }) => DOWNLOADERS.has(program))
    state.files.set(normalize(path), { text: whole, isDownload, writers: [...(before?.writers ?? []), ...writers] })
  }
}

function appended(before: string | null | undefined, text: string | null, work: WorkBudget): string | null {
  if (before === undefined || before === null || text === null) return text
  return before.length + text.length > LONGEST_PRINTED ? work.exhaust() : `${before}\n${text}`
}

/** Where what was downloaded, printed or copied lies now. */
export function carry(state: ShellState, run: Run, input: Input | null): void {
  const { program, reads, writes, deletes } = run
  if (fetches(state, run, input)) state.isFetched = true
  // What comes through a pipe and cannot be told is somebody else's.
  const isFromPipe = input !== null && input.text === null && !input.isFile
  if (program === 'tee') remember(state, writes, input?.text ?? null, [run], false, isFromPipe)
  else if (DOWNLOADERS.has(program)) remember(state, writes, null, [run])
  else if (program === 'cp' || program === 'mv' || program === 'install')
    for (const source of [...reads, ...deletes]) copy(state, source, writes)
}

/** `git clone URL`, or an archive that was downloaded, or comes through a pipe. */
const fetches = (state: ShellState, { program, subcommand, operands, reads }: Run, input: Input | null): boolean => {
  if (program === 'git') return subcommand === 'clone' && operands.some((word) => ADDRESS.test(word))
  if (program === 'gh') return subcommand === 'repo clone'
  if (!UNPACKS.test(program)) return false
  return (
    reads.some((path) => writtenTo(state, path)?.isDownload === true) ||
    (input !== null && input.text === null && !input.isFile)
  )
}

function copy(state: ShellState, source: string | null, targets: readonly (string | null)[]): void {
  const file = writtenTo(state, source)
  if (file === undefined) return
  state.work.spend(WORD_UNITS * targets.length)
  for (const to of targets) if (to !== null && to !== source) state.files.set(normalize(to), file)
}
