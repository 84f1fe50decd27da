import type { Journal } from '../contract/logs.ts'

/** Told, then passed on: whoever waits must not be told that it was written. */
export const tellLoss =
  (journal: Journal, where: string) =>
  (cause: unknown): never => {
    journal.write('trouble', { where, reason: cause instanceof Error ? cause.message : String(cause) })
    throw cause
  }
