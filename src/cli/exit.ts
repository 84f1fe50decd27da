import { asReinError, ReinError } from '../contract/errors.ts'
import { PathError } from '../base/util/paths.ts'
import type { Output } from './output.ts'

export const report = (out: Output, cause: unknown, json: boolean): number => {
  const error = cause instanceof PathError ? new ReinError('usage', cause.message, cause.hint) : asReinError(cause)
  // One line: it may be the last of a stream.
  if (json) out.record(error.toBody())
  else complain(out, error)
  return error.exitCode
}

/** The error for people only: for commands that have printed their result already. */
export const complain = (out: Output, error: ReinError): void => {
  out.note(`rein: ${error.message}`)
  if (error.hint !== undefined) out.note(`      ${error.hint.replaceAll('\n', '\n      ')}`)
}

/** An error with its hint, on one line. */
export const describeError = (cause: unknown): string => {
  const { message, hint } = asReinError(cause)
  return [message, hint].filter(Boolean).join(' ')
}
