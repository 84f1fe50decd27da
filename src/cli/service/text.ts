import type { ServiceView } from '../../contract/outputs/local.ts'
import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { collectLines, printable } from '../format.ts'

const words: Record<ServiceView['what'], string> = {
  created: 'created',
  changed: 'changed',
  unchanged: 'as it was',
  outdated: 'not what this Rein writes',
  removed: 'removed',
  absent: 'not installed',
}

/** What was done, and what is left to do by hand. */
export const showService = ({ out, exitWith }: CliContext, view: ServiceView, { json }: JsonFlag): void => {
  if (json) out.document(view)
  else
    for (const line of collectLines(
      `${printable(view.file)}: ${words[view.what]}`,
      (view.what === 'created' || view.what === 'changed') &&
        printable(view.content)
          .trimEnd()
          .split('\n')
          .map((line) => `  ${line}`),
      !(view.what === 'removed' || view.what === 'absent') &&
        (view.isActive === null
          ? 'Whether the service runs cannot be told: the service manager does not answer.'
          : view.isActive
            ? 'The service runs.'
            : 'The service does not run.'),
      view.left.length > 0 && [
        'The service manager did not do this. Left to run:',
        ...view.left.map((one) => `  ${one}`),
      ],
      view.hint !== null && view.hint,
    ))
      out.line(line)
  exitWith(exitCode(view))
}

/** Not done is not done, even where the file is written. */
const exitCode = ({ what, isActive, left }: ServiceView): number => {
  if (left.length > 0) return new ReinError('failed', '').exitCode
  if (what === 'absent') return new ReinError('not_found', '').exitCode
  return what === 'removed' || isActive === true ? 0 : new ReinError('failed', '').exitCode
}
