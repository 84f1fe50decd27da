import { ReinError } from '../../contract/errors.ts'

/** What happened, and what to do about it, in one text. */
export const failureText = (cause: unknown): string => {
  if (cause instanceof ReinError) return [cause.message, cause.hint].filter(Boolean).join(' ')
  return cause instanceof Error ? cause.message : String(cause)
}
