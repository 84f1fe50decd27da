import { asReinError, ReinError } from '../contract/errors.ts'
import { shortenIds } from '../contract/ids.ts'
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
  // At once: an id in the message and in the hint must look the same.
  const text = [error.message, error.hint].filter((each) => each !== undefined).join('\n')
  out.note(`rein: ${shortenIds(text).replaceAll('\n', '\n      ')}`)
}

/** An error with its hint, on one line. */
export const describeError = (cause: unknown): string => {
  const { message, hint } = asReinError(cause)
  return shortenIds([message, hint].filter(Boolean).join(' '))
}
