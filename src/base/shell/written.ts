import { normalize } from 'node:path/posix'
import type { WorkBudget } from '../util/work-budget.ts'
import { LONGEST_PRINTED } from './printed.ts'
import { pathOf } from './effect-calls.ts'
import { printedByFind } from './find.ts'
import { baseName } from './programs.ts'
import type { RunProgram } from './reading.ts'
import type { Input } from './setting.ts'
import { field, type ShellState, WORD_UNITS, type WrittenFile } from './state.ts'

/** A program that is noted, while more is learned of where its output goes. */
export interface Run extends RunProgram {
  readonly pipesTo: string[]
}

const DOWNLOADERS = new Set(
  'curl wget wget2 aria2c axel http https xh curlie scp sftp ftp tftp lynx w3m links elinks nc ncat netcat socat telnet dig host nslookup lwp-download lwp-request lwp-mirror GET wcurl hget puf'.split(
    ' ',
  ),
)
/** They copy from elsewhere when one of their words is there, or when they are told to. */
const COPIES_FROM_FAR = /^(?:rsync|aws|gsutil|rclone|s3cmd|mc)$/
const COPYING = /^(?:(?:kubectl|oc|docker|podman) cp|gh (?:release|run) download|az storage|gcloud storage)\b/
const PRINTING = /^(?:gh|glab) (?:api|gist)\b/
const IS_FAR = /^(?:[a-z][a-z0-9+]*:\/\/|[\w.@-]+:(?!\/\/)|[\w.@-]+::)/

const copiesFromFar = ({ program, subcommand, operands }: RunProgram): boolean =>
  COPYING.test(`${program} ${subcommand}`) ||
  (COPIES_FROM_FAR.test(program) && operands.slice(0, -1).some((word) => IS_FAR.test(word)))

/** Whether what it prints or writes comes from the network. */
export const isDownloader = (run: RunProgram): boolean =>
  DOWNLOADERS.has(run.program) || copiesFromFar(run) || PRINTING.test(`${run.program} ${run.subcommand}`)
/** `cp <(curl …) file`. */
const IS_FETCHING = /^<\(.*\b(?:curl|wget2?|nc|ncat|aria2c|https?|xh|ssh)\b/
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
    const isDownload = isFromPipe || before?.isDownload === true || writers.some(isDownloader)
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
  else if (isDownloader(run)) remember(state, writes, null, [run])
  else if (input?.isFetched === true) remember(state, writes, null, [run], false, true)
  else if (program === 'find' && writes.length > 0) remember(state, writes, printedByFind(run.args.map(field)), [run])
  else if (/^(?:mkfifo|mknod)$/.test(program)) {
    for (const word of run.operands) {
      const path = pathOf(field(word), state)
      state.work.spend(WORD_UNITS)
      if (path !== null) state.files.set(normalize(path), { text: null, isDownload: false, writers: [], isFifo: true })
    }
  } else if (reads.includes('/dev/stdin')) remember(state, writes, input?.text ?? null, [run])
  else if (/^(?:cp|install|tee|dd)$/.test(program) && run.args.some((arg) => IS_FETCHING.test(arg)))
    remember(state, writes, null, [run], false, true)
  else if (/^(?:cp|mv|ln|install)$/.test(program))
    for (const source of [...reads, ...deletes]) copy(state, source, writes)
  else if (/^(?:g?sed|perl|ruby|[gmn]?awk|ed|ex|vim?|nvim|dd|patch|sponge)$/.test(program)) {
    // `sed -i` on a file that the line has written.
    for (const path of writes) {
      const file = path === null ? undefined : state.files.get(normalize(path))
      state.work.spend(WORD_UNITS)
      if (file?.text != null && path !== null)
        state.files.set(normalize(path), { ...file, text: null, isChanged: true })
    }
  }
  if (/^(?:cp|ln|install)$/.test(program)) renamed(state, run)
  if (program === 'ln') {
    // `ln -s / r`: what lies below `r` lies elsewhere.
    const source = pathOf(field(run.operands[0] ?? ''), state)
    state.work.spend(WORD_UNITS * writes.length)
    if (source !== null) for (const to of writes) if (to !== null) state.links.set(normalize(to), source)
  }
  if (program === 'go') installed(state, run)
}

/** `go install example.com/x@latest` makes a program `x` of what it fetches. */
function installed(state: ShellState, run: Run): void {
  if (!run.subcommand.startsWith('install')) return
  const names = run.operands.filter((word) => /\.\w+\/.*@/.test(word)).map((word) => baseName(word.replace(/@.*$/, '')))
  remember(
    state,
    names.map((name) => `${state.home ?? ''}/go/bin/${name}`),
    null,
    [run],
    false,
    true,
  )
}

/** What was written is not as anybody can tell. */
export function markChanged({ files }: ShellState, paths: readonly string[]): void {
  for (const path of paths) {
    const file = files.get(normalize(path))
    if (file !== undefined) files.set(normalize(path), { ...file, isChanged: true })
  }
}

/** `git clone URL`, or an archive that was downloaded, or comes through a pipe. */
const fetches = (state: ShellState, run: Run, input: Input | null): boolean => {
  const { program, subcommand, operands, reads, args } = run
  // A clone, or a branch or a patch of somebody else that is put into the work tree.
  if (program === 'git')
    return /^(?:clone|pull|remote|fetch|submodule|subtree)\b/.test(subcommand)
      ? operands.some((word) => ADDRESS.test(word))
      : /^(?:apply|am)\b/.test(subcommand) && isFetchedText(state, run, input)
  if (program === 'patch') return isFetchedText(state, run, input)
  if (/^wget2?$/.test(program) && args.some((arg) => /^-[a-z]*[rmi]|^--(?:recursive|mirror|input-file)/.test(arg)))
    return true
  if (program === 'go') return /^(?:install|get)/.test(subcommand) && operands.some((word) => /\.\w+\/.*@/.test(word))
  if (/^pip[3x]?$|^uv$/.test(program))
    return (
      args.some((arg) => /^(?:-i|--(?:extra-)?index-url)(?:=|$)/.test(arg)) && args.some((arg) => /https?:/.test(arg))
    )
  if (program === 'gh' && subcommand === 'repo clone') return true
  if (/^(?:svn|hg|bzr|fossil|darcs|pijul|cvs|sl|jj)$/.test(program)) return operands.some((word) => ADDRESS.test(word))
  if (copiesFromFar(run)) return true
  if (
    /^(?:sftp|aria2c|axel|http|xh|curlie|wcurl|t?ftp|lftp|lwp-\w+|GET|snarf|hget|puf|croc|wormhole|magic-wormhole|yt-dlp|youtube-dl)$/.test(
      program,
    )
  )
    return true
  if (!UNPACKS.test(program)) return false
  return (
    reads.some((path) => writtenTo(state, path)?.isDownload === true) ||
    (input !== null && input.text === null && !input.isFile)
  )
}

const isFetchedText = (state: ShellState, { operands, reads }: Run, input: Input | null): boolean =>
  input?.isFetched === true ||
  [...reads, ...operands.map((word) => pathOf(field(word), state))].some(
    (path) => writtenTo(state, path)?.isDownload === true,
  )

/** `cp /usr/bin/git ./g`: another name for a program of the system. */
function renamed({ copies, work }: ShellState, { operands, writes }: Run): void {
  const [program = ''] = operands
  if (!/^(?:\/(?:usr\/)?(?:local\/)?s?bin\/)?[\w.+-]+$/.test(program)) return
  work.spend(WORD_UNITS * writes.length)
  for (const to of writes) if (to !== null) copies.set(baseName(to), baseName(program))
}

function copy(state: ShellState, source: string | null, targets: readonly (string | null)[]): void {
  const file = writtenTo(state, source)
  if (file === undefined) return
  state.work.spend(WORD_UNITS * targets.length)
  for (const to of targets) if (to !== null && to !== source) state.files.set(normalize(to), file)
}
