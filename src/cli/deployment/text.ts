import type { DeployView } from '../../contract/routes/deployments.ts'
import { ReinError } from '../../contract/errors.ts'
import type { CliContext } from '../context.ts'
import { printable } from '../format.ts'
import type { Style } from '../output.ts'

type FileView = DeployView['files'][number]

/** One line for each file, or what would change; a refusal decides the exit code. */
export const showDeployment = (
  { out, exitWith }: CliContext,
  view: DeployView,
  { json, dryRun }: { json?: boolean; dryRun?: boolean },
): void => {
  if (json) out.document(view)
  else for (const line of linesOf(view, dryRun === true, out.style)) out.line(line)
  if (view.files.some(({ what }) => what === 'refused')) exitWith(new ReinError('refused', '').exitCode)
}

const linesOf = ({ files, skipped }: DeployView, dryRun: boolean, style: Style): string[] => {
  const diffs = dryRun ? files.filter(({ diff }) => diff !== '').map(({ diff }) => printable(diff)) : []
  const told = dryRun ? files.filter(({ diff }) => diff === '') : files
  const lines = [...diffs, ...told.map((file) => fileLine(file, style)), ...skipped.map(skippedLine)]
  return lines.length === 0 ? ['Nothing to do.'] : lines
}

const width = 'unchanged'.length

const fileLine = ({ path, drivers, what, line, column, reason }: FileView, style: Style): string => {
  const word = what.padEnd(width)
  const place = line === null ? '' : `:${line}:${column}`
  const why = reason === null ? '' : ` ${what === 'refused' ? '' : '– '}${reason}`
  const rest = printable(`${path}${place}${why} (${drivers.join(', ')})`)
  return `${what === 'refused' ? style.red(word) : word}  ${rest}`
}

const skippedLine = ({ driver, reason }: DeployView['skipped'][number]): string =>
  `${'skipped'.padEnd(width)}  ${driver}: ${reason}`
