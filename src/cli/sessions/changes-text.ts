import type { FileChange, SessionDiff, SessionTurnDetail } from '../../contract/routes/sessions.ts'
import { escapeUnsafe } from '../../base/util/visible.ts'
import { alignColumns, counted, formatBytes, joinLines } from '../format.ts'
import type { Reader, Style } from '../output.ts'
import { block, oneLine, shownPath } from '../safe-text.ts'

const listLimit = 100
const reasonLimit = 120

/** Why a snapshot says nothing about a file, and why a file stays as it is, in more words. */
const reasonWords: Record<string, string> = {
  'too large': 'larger than the setting sessions.max_file_bytes',
  unreadable: 'cannot be read',
  special: 'neither a file nor a link',
  name: 'a name that git does not take',
  'work tree': 'another work tree of the repository',
  'not saved': 'no snapshot has it',
  'left out': 'the snapshot left it out',
  repository: 'in a repository that the snapshot does not know',
  'in the way': 'something that stays is in its place',
}

const reasonText = (reason: string): string => reasonWords[reason] ?? oneLine(reason, reasonLimit)

/** Files that changed, each with its lines, below a line that sums them up. */
export const changesLines = (changes: FileChange[], style: Style): string[] => {
  if (changes.length === 0) return ['No file changed.']
  const shown = changes.slice(0, listLimit)
  const rows = shown.map((change) => {
    const { added, removed, isBinary } = change
    return [
      `  ${change.kind}`,
      isBinary ? 'binary' : added === null || removed === null ? '' : `+${added} -${removed}`,
      shownPath(change.path),
    ]
  })
  const sum = (count: (change: FileChange) => number | null): number =>
    changes.reduce((total, change) => total + (count(change) ?? 0), 0)
  return [
    `${counted(changes.length, 'file')}, +${sum(({ added }) => added)} -${sum(({ removed }) => removed)} lines:`,
    ...alignColumns(rows).map((row, index) => {
      const kind = shown[index]?.kind
      return kind === 'added' ? style.green(row) : kind === 'deleted' ? style.red(row) : row
    }),
    ...moreLines(changes.length - shown.length),
  ]
}

const moreLines = (left: number): string[] => (left <= 0 ? [] : [`  (${left} more: --json shows all.)`])

/** Up to so many files, below a line that says what is about them. */
const listLines = (title: string, files: string[]): string[] =>
  files.length === 0
    ? []
    : [title, ...files.slice(0, listLimit).map((file) => `  ${file}`), ...moreLines(files.length - listLimit)]

/** Files that a restore does not bring back. */
export const leftOutLines = ({ skipped, outside }: Pick<SessionTurnDetail, 'skipped' | 'outside'>): string[] => [
  ...listLines(
    'Not in the snapshot, and not restored:',
    skipped.map(
      ({ path, reason, bytes }) =>
        `${shownPath(path)}${bytes === null ? '' : ` (${formatBytes(bytes)})`}: ${reasonText(reason)}`,
    ),
  ),
  ...listLines('Written outside of the work tree, and not restored:', outside.map(shownPath)),
]

export const keptLines = (kept: { path: string; reason: string }[]): string[] =>
  listLines(
    'Left as they are:',
    kept.map(({ path, reason }) => `${shownPath(path)}: ${reasonText(reason)}`),
  )

export const diffText = ({ from, to, changes, patch }: SessionDiff, reader: Reader): string =>
  joinLines(
    `From turn ${from} to ${to === 'now' ? 'now' : `turn ${to}`}:`,
    ...changesLines(changes, reader.style),
    !(patch === null || patch === '') && ['', patchText(patch, reader)],
  )

/** An agent gets each line marked, a person what `git diff` would show. */
const patchText = (patch: string, reader: Reader): string => {
  const lines = patch.replace(/\n$/, '').split('\n')
  if (reader.isAgent) return block(lines.join('\n'), reader)
  return lines
    .map((line) => {
      const safe = escapeUnsafe(line)
      if (line.startsWith('diff ')) return reader.style.bold(safe)
      if (line.startsWith('@@')) return reader.style.cyan(safe)
      if (line.startsWith('+')) return reader.style.green(safe)
      return line.startsWith('-') ? reader.style.red(safe) : safe
    })
    .join('\n')
}

export const exactLines = (isExact: boolean): string[] =>
  isExact ? [] : ['Not exact: a tool began before all of these files were read, so they may have some of what it did.']
