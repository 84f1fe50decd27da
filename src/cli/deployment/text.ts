import { basename, dirname, join, relative } from 'node:path'
import type { DeployView } from '../../contract/routes/deployments.ts'
import { ReinError } from '../../contract/errors.ts'
import type { CliContext } from '../context.ts'
import { alignColumns, counted, printable } from '../format.ts'

type DeployedFile = DeployView['files'][number]
type What = DeployedFile['what']

export interface SelectionFlags {
  driver?: string[]
  global?: boolean
  dryRun?: boolean
  verbose?: boolean
}

export interface SetupFlags extends SelectionFlags {
  shared?: boolean
}

interface Shown {
  command: 'rein setup' | 'rein cleanup'
  /** What is printed on a terminal when everything is done. */
  next?: readonly string[]
}

/** What a preview says: nothing is done yet. */
const planned: Record<What, string> = {
  created: 'create',
  changed: 'change',
  unchanged: 'keep',
  restored: 'restore',
  cleaned: 'clean',
  removed: 'remove',
  refused: 'refuse',
}
const width = 'unchanged'.length

/** Prints one line for each file, or for several of the same kind; `--verbose` prints their changes before it. A refusal decides the exit code. */
export const showDeployment = (
  { out, exitWith, cwd }: Pick<CliContext, 'out' | 'exitWith' | 'cwd'>,
  { files, skipped }: DeployView,
  { json = false, ...flags }: SetupFlags & { json?: boolean },
  { command, next = [] }: Shown,
): void => {
  const isRefused = files.some(({ what }) => what === 'refused')
  if (isRefused) exitWith(new ReinError('refused', '').exitCode)
  if (json) return out.document({ files, skipped } satisfies DeployView)
  if (flags.verbose) for (const { diff } of files) if (diff !== '') out.line(printable(diff))
  const word = (what: What): string => (flags.dryRun ? planned[what] : what).padEnd(width)
  const lines = [
    ...alignColumns(
      groupFiles(files.filter(({ reason }) => reason === null)).map((group) => groupRow(group, word, cwd())),
      { columns: out.columns },
    ),
    ...files.flatMap((file) => (file.reason === null ? [] : reasonLine(file, word, out.style.red))),
    ...skipped.map(({ driver, reason }) => `${'skipped'.padEnd(width)}  ${driver}: ${reason}`),
  ]
  for (const line of lines.length === 0 ? ['Nothing to do.'] : lines) out.line(line)
  const isDone = !flags.dryRun && !isRefused && files.length > 0
  for (const hint of flags.dryRun ? previewHints(files, command, flags) : isDone ? next : []) out.hint(hint)
}

/** Files of one name in directories beside each other, as skills are, to which the same happens. */
const groupFiles = (files: readonly DeployedFile[]): DeployedFile[][] => {
  const groups = new Map<string, DeployedFile[]>()
  for (const file of files) {
    const key = JSON.stringify([file.what, file.drivers, dirname(dirname(file.path)), basename(file.path)])
    groups.set(key, [...(groups.get(key) ?? []), file])
  }
  return [...groups.values()]
}

const groupRow = (files: readonly DeployedFile[], word: (what: What) => string, cwd: string): string[] => {
  const [first] = files
  if (first === undefined) return []
  const isOne = files.length === 1
  const path = isOne ? first.path : join(dirname(dirname(first.path)), '*', basename(first.path))
  const place = `${shortPath(path, cwd)}${isOne ? '' : ` (${counted(files.length, 'file')})`}`
  return [word(first.what), printable(place), countLines(files), first.drivers.join(', ')]
}

const shortPath = (path: string, cwd: string): string => {
  const below = relative(cwd, path)
  return below.startsWith('..') ? path : below
}

/** `+12 -3`; empty where no line changes. */
const countLines = (files: readonly DeployedFile[]): string => {
  // Before the first hunk stand the two names of the file.
  const lines = files.flatMap(({ diff }) => diff.split('\n').slice(2))
  return ['+', '-']
    .flatMap((mark) => {
      const count = lines.filter((line) => line.startsWith(mark)).length
      return count === 0 ? [] : `${mark}${count}`
    })
    .join(' ')
}

/** In full: it says what a person has to see to. */
const reasonLine = (
  { path, drivers, what, line, column, reason }: DeployedFile,
  word: (what: What) => string,
  red: (text: string) => string,
): string => {
  const isRefused = what === 'refused'
  const place = line === null ? '' : `:${line}:${column}`
  const rest = printable(`${path}${place} ${isRefused ? '' : '– '}${reason} (${drivers.join(', ')})`)
  return `${isRefused ? red(word(what)) : word(what)}  ${rest}`
}

const previewHints = (files: readonly DeployedFile[], command: string, flags: SetupFlags): string[] => {
  const changing = files.filter(({ diff }) => diff !== '').length
  if (changing === 0) return []
  const typed = [
    command,
    ...(flags.driver ?? []).map((driver) => `--driver ${driver}`),
    ...(flags.global ? ['--global'] : []),
    ...(flags.shared ? ['--shared'] : []),
  ].join(' ')
  return [
    `${counted(changing, 'file')} would change; nothing was changed yet.`,
    ...(flags.verbose ? [] : [`See every line: ${typed} --dry-run --verbose`]),
    `Do it: ${typed}`,
  ]
}
