/** The problems with snapshots; none of them loses a byte. */
export type SnapshotProblem =
  | 'git_missing'
  | 'git_failed'
  | 'busy'
  | 'aborted'
  | 'unstable'
  | 'too_large'
  | 'storage_full'
  | 'unknown_snapshot'
  | 'damaged'
  | 'edited'
  | 'unverified'
  | 'not_empty'

export class SnapshotError extends Error {
  readonly code: SnapshotProblem
  /** The paths concerned, if any. */
  readonly paths: readonly string[]

  constructor(code: SnapshotProblem, message: string, paths: readonly string[] = []) {
    super(message)
    this.name = 'SnapshotError'
    this.code = code
    this.paths = paths
  }
}

export const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException | null)?.code

/** The path does not exist, or is below a file. */
export const isAbsent = (cause: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(cause) ?? '')

export const isFull = (cause: unknown): boolean => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(cause) ?? '')

export const storageFull = (where: string): SnapshotError =>
  new SnapshotError(
    'storage_full',
    `There is no room left in ${where}. Nothing was changed; free some space and try again.`,
  )
