import { type ErrorCode, ReinError } from '../../contract/errors.ts'

const unknowing: readonly ErrorCode[] = ['unavailable', 'not_in_time']

/** Whoever gets such an error for what was sent does not know whether the daemon took it. */
export const isUnknowing = (cause: unknown): boolean => cause instanceof ReinError && unknowing.includes(cause.code)
