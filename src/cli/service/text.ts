import type { ServiceView } from '../../contract/outputs/local.ts'
import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { joinLines, printable } from '../format.ts'

const words: Record<ServiceView['what'], string> = {
  created: 'created',
  changed: 'changed',
  unchanged: 'unchanged',
  outdated: 'outdated',
  removed: 'removed',
  absent: 'not installed',
}

/** Prints what was done, and what is left to do by hand. */
export const showService = ({ out, exitWith }: CliContext, view: ServiceView, { json }: JsonFlag): void => {
  const { file, content, what, isActive, left, hint } = view
  const text = joinLines(
    `${printable(file)}: ${words[what]}`,
    (what === 'created' || what === 'changed') && `  ${printable(content).trimEnd().replaceAll('\n', '\n  ')}`,
    what !== 'removed' && what !== 'absent' && activities[String(isActive) as `${typeof isActive}`],
    left.length > 0 && ['The service manager did not do this. Left to run:', ...left.map((one) => `  ${one}`)],
    hint !== null && hint,
  )
  if (json) out.document(view)
  else out.line(text)
  exitWith(exitCode(view))
}

const activities = {
  null: 'Whether the service runs cannot be told: the service manager does not answer.',
  true: 'The service runs.',
  false: 'The service does not run.',
}

/** Not done is not done, even where the file is written. */
const exitCode = ({ what, isActive, left }: ServiceView): number => {
  if (left.length > 0) return new ReinError('failed', '').exitCode
  if (what === 'absent') return new ReinError('not_found', '').exitCode
  return what === 'removed' || isActive === true ? 0 : new ReinError('failed', '').exitCode
}
