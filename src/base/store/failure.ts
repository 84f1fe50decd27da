import { ReinError } from '../../contract/errors.ts'
import { explainSystemError } from '../../contract/system-error.ts'
import { NotPrivateError } from '../util/private-dir.ts'

/** 13 FULL, 778 IOERR_WRITE, 1034 IOERR_FSYNC. */
const full = /disk is full|\b(ENOSPC|EDQUOT|EFBIG)\b|errcode (13|778|1034)\b/
const unwritable = /readonly|read-only|unable to open database|\b(EROFS|EACCES|EPERM)\b/

/** 11 CORRUPT, 26 NOTADB; extended codes have the same last byte. */
const damaged = /disk image is malformed|not a database|errcode (11|26|267|523|779)\b/

export const isDamage = (cause: unknown): boolean =>
  (cause instanceof ReinError && cause.code === 'storage_damaged') || damaged.test(describe(cause))

/** Whether the disk or the file is at fault, not what was to be done with it. */
export const isFault = (cause: unknown): boolean => storageError(cause).code !== 'failed'

/** The name that a failure of SQLite or of the file system has for users. */
export const storageError = (cause: unknown): ReinError => {
  if (cause instanceof ReinError) return cause
  if (cause instanceof NotPrivateError) return new ReinError('refused', cause.message, cause.hint)
  const text = describe(cause)
  if (full.test(text)) {
    return new ReinError(
      'storage_full',
      `The state directory has no room: ${text}`,
      'Free some space; nothing accepted before was lost.',
    )
  }
  if (unwritable.test(text)) {
    return new ReinError(
      'storage_readonly',
      `The state directory cannot be written: ${explainSystemError(cause)?.message ?? text}`,
      'Check its owner, its mode and its disk. Or choose another directory: export REIN_HOME=~/rein-home',
    )
  }
  if (damaged.test(text)) {
    return new ReinError(
      'storage_damaged',
      `The database is damaged: ${text}`,
      'Repair it: rein daemon stop && rein daemon repair',
    )
  }
  const failure = explainSystemError(cause)
  if (failure !== null) return new ReinError('failed', failure.message, failure.hint)
  return new ReinError('failed', `The database failed: ${text}`)
}

const describe = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const { code, errcode } = cause as Error & { code?: string; errcode?: number }
  return [code, errcode === undefined ? undefined : `errcode ${errcode}`, cause.message].filter(Boolean).join(': ')
}
