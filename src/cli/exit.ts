import { ExitCode } from '@stricli/core'
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
  if (error.hint !== undefined) out.note(`      ${error.hint}`)
}

/** An error with its hint, on one line. */
export const describeError = (cause: unknown): string => {
  const { message, hint } = asReinError(cause)
  return [message, hint].filter(Boolean).join(' ')
}

/** Turns the complaints of the command line parser into an error. */
export const parserError = (code: number, complaints: string[], prefix: readonly string[]): ReinError => {
  const message = complaints.join('').trim()
  const isUsage = code === ExitCode.UnknownCommand || code === ExitCode.InvalidArgument
  return isUsage
    ? new ReinError('usage', message, `See \`${[...prefix, '--help'].join(' ')}\`.`)
    : new ReinError('failed', message)
}
