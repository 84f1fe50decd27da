import { ReinError } from '../contract/errors.ts'

/** Both bindings name SQLite's errors differently; users get one name. */
export const storageError = (cause: unknown): ReinError => {
  if (cause instanceof ReinError) return cause
  const text = describe(cause)
  if (/FULL|disk is full|ENOSPC|EFBIG|IOERR_WRITE|IOERR_FSYNC|errcode 13\b/i.test(text)) {
    return new ReinError(
      'storage_full',
      `The state directory has no room: ${text}`,
      'Free some space; nothing accepted before was lost.',
    )
  }
  if (/READONLY|readonly|read-only|CANTOPEN|EROFS|EACCES/i.test(text)) {
    return new ReinError(
      'storage_readonly',
      `The state directory cannot be written: ${text}`,
      'Check owner and mode: rein paths.',
    )
  }
  return new ReinError('failed', `The database failed: ${text}`)
}

const describe = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const { code, errcode } = cause as Error & { code?: string; errcode?: number }
  return [code, errcode === undefined ? undefined : `errcode ${errcode}`, cause.message].filter(Boolean).join(': ')
}
