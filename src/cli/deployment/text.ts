import type { DeployView } from '../../contract/routes/deployments.ts'
import { ReinError } from '../../contract/errors.ts'
import type { CliContext } from '../context.ts'
import { counted, printable } from '../format.ts'

const width = 'unchanged'.length

/** Prints one line for each file, or what would change, and on a terminal what comes `next`; a refusal decides the exit code. */
export const showDeployment = (
  { out, exitWith }: CliContext,
  view: DeployView,
  { json, dryRun = false }: { json?: boolean; dryRun?: boolean },
  next: string | null = null,
): void => {
  const isDiff = ({ diff }: { diff: string }): boolean => dryRun && diff !== ''
  const lines = [
    ...view.files.filter(isDiff).map(({ diff }) => printable(diff)),
    ...view.files
      .filter((file) => !isDiff(file))
      .map(({ path, drivers, what, line, column, reason }) => {
        const word = what.padEnd(width)
        const place = line === null ? '' : `:${line}:${column}`
        const why = reason === null ? '' : ` ${what === 'refused' ? '' : '– '}${reason}`
        const rest = printable(`${path}${place}${why} (${drivers.join(', ')})`)
        return `${what === 'refused' ? out.style.red(word) : word}  ${rest}`
      }),
    ...view.skipped.map(({ driver, reason }) => `${'skipped'.padEnd(width)}  ${driver}: ${reason}`),
  ]
  if (json) out.document(view)
  else for (const line of lines.length === 0 ? ['Nothing to do.'] : lines) out.line(line)
  const changing = view.files.filter(isDiff).length
  if (!json && changing > 0) out.hint(`${counted(changing, 'file')} would change; nothing was changed yet.`)
  const isRefused = view.files.some(({ what }) => what === 'refused')
  const isDone = !dryRun && !isRefused && view.files.length > 0
  if (!json && isDone && next !== null) out.hint(next)
  if (isRefused) exitWith(new ReinError('refused', '').exitCode)
}
