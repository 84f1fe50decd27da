import type { BundleView, ExportedView, ImportedView, InspectedView } from '../../contract/routes/bundles.ts'
import { changesLines } from '../sessions/changes-text.ts'
import { alignColumns, counted, formatBytes, formatTime } from '../format.ts'
import type { Style } from '../output.ts'
import { reviewLines } from './review-text.ts'
import { plainWords } from '../plain-words.ts'
import { oneLine, shownPath } from '../safe-text.ts'

const [nameLimit, promptLimit, listLimit, reviewLimit] = [80, 80, 50, 10]

export const exportedText = ({ file, bytes, sha256, bundle }: ExportedView, style: Style): string =>
  [
    style.bold(`${shownPath(file)}: ${counted(bundle.turns.length, 'turn')}, ${formatBytes(bytes)}`),
    `  sha256 ${sha256}`,
    baseLine(bundle),
    ...secretLines(bundle, style),
    ...leftOutLines(bundle),
    `Look into it: rein session inspect ${shownPath(file)}`,
  ].join('\n')

export const inspectedText = (
  { file, bytes, bundle }: InspectedView,
  now: number,
  style: Style,
  columns?: number,
  reader = { isAgent: false },
): string =>
  [
    style.bold(`${shownPath(file)}: ${bundle.session} of ${bundle.agent}, ${formatBytes(bytes)}`),
    `  made by Rein ${oneLine(bundle.rein, nameLimit)} with ${bundle.driver} ${oneLine(bundle.cli, nameLimit)}, ${formatTime(bundle.madeAt, now)}`,
    baseLine(bundle),
    ...alignColumns(
      bundle.turns.map(({ label, prompt, hasFiles }) => [
        `  ${label}`,
        hasFiles ? 'files' : 'no files',
        oneLine(plainWords(prompt, reader), promptLimit),
      ]),
      { columns },
    ),
    ...secretLines(bundle, style),
    ...leftOutLines(bundle),
  ].join('\n')

export const importedText = (imported: ImportedView, style: Style): string => {
  const { isDone, bundle, dir, changes, review, command } = imported
  const [are, end] = isDone ? ['are now', ''] : ['would be', ' Nothing was written.']
  return [
    style.bold(`The files of ${bundle.session} (${bundle.agent}) ${are} in ${shownPath(dir)}.${end}`),
    ...changesLines(changes, style),
    ...reviewLines(review, reviewLimit),
    ...leftOutLines(bundle),
    command === null ? 'To write them: --yes' : `To go on: ${command}`,
  ].join('\n')
}

const baseLine = ({ base, repository }: BundleView): string => {
  const remote = oneLine(repository?.remote ?? 'its repository', nameLimit)
  return base === null ? '  It has everything.' : `  It needs a clone of ${remote} with the commit ${base}.`
}

/** Their kinds and places, never what they are. */
const secretLines = ({ isRedacted, secrets }: BundleView, style: Style): string[] => {
  const count = secrets.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return ['  Nothing in it looks like a secret.']
  const title = isRedacted
    ? `${counted(count, 'secret')} taken out:`
    : style.yellow(`${counted(count, 'thing')} in it may be secrets; --redact takes them out:`)
  return listed(
    title,
    secrets.map(({ entry, kind, count: n }) => `${n} × ${oneLine(kind, nameLimit)} in ${shownPath(entry)}`),
  )
}

const leftOutLines = ({ leftOut }: BundleView): string[] =>
  listed(
    'Left out of it:',
    leftOut.map(({ path, reason }) => `${shownPath(path)} (${oneLine(reason, nameLimit)})`),
  )

const listed = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0
    ? []
    : [
        title,
        ...lines.slice(0, listLimit).map((line) => `  ${line}`),
        ...(lines.length > listLimit ? [`  (${lines.length - listLimit} more: --json shows all.)`] : []),
      ]
