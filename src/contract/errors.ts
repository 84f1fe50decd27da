import { explainSystemError } from './system-error.ts'

/** Every failure a user can meet: its name decides the exit code and the HTTP status. */
const families = {
  usage: { exit: 2, status: 400 },
  not_found: { exit: 3, status: 404 },
  not_in_time: { exit: 4, status: 408 },
  refused: { exit: 5, status: 409 },
  unavailable: { exit: 6, status: 503 },
  failed: { exit: 1, status: 500 },
} as const

type ErrorFamily = keyof typeof families

const codes = {
  usage: 'usage',
  invalid_text: 'usage',
  empty_text: 'usage',
  text_too_large: 'usage',
  invalid_handle: 'usage',
  invalid_config: 'usage',
  unknown_driver: 'usage',
  unsupported_option: 'usage',
  not_found: 'not_found',
  unknown_agent: 'not_found',
  unknown_directive: 'not_found',
  driver_missing: 'not_found',
  ambiguous_handle: 'refused',
  ambiguous_id: 'refused',
  handle_taken: 'refused',
  not_in_time: 'not_in_time',
  refused: 'refused',
  forbidden: 'refused',
  untrusted: 'refused',
  inbox_full: 'refused',
  rate_limited: 'refused',
  unknown_channel: 'not_found',
  unknown_room: 'not_found',
  unknown_event: 'not_found',
  unknown_task: 'not_found',
  unknown_device: 'not_found',
  lease_held: 'refused',
  wrong_agent: 'refused',
  already_closed: 'refused',
  not_running: 'refused',
  nothing_to_answer: 'refused',
  cursor_expired: 'refused',
  cursor_ahead: 'refused',
  record_too_new: 'refused',
  version_too_old: 'refused',
  transcript_damaged: 'refused',
  unavailable: 'unavailable',
  storage_full: 'unavailable',
  storage_readonly: 'unavailable',
  storage_damaged: 'unavailable',
  failed: 'failed',
} as const satisfies Record<string, ErrorFamily>

export type ErrorCode = keyof typeof codes

/** Where HTTP has a number of its own for it. */
const ownStatus: Partial<Record<ErrorCode, number>> = { forbidden: 403, rate_limited: 429, text_too_large: 413 }
export const errorCodes = Object.keys(codes) as ErrorCode[]

/** The answer of the daemon instead of a result. */
export interface ErrorBody {
  error: { code: ErrorCode; message: string; hint?: string }
}

export class ReinError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined

  constructor(code: ErrorCode, message: string, hint?: string) {
    super(message)
    this.name = 'ReinError'
    this.code = code
    this.hint = hint
  }

  get exitCode(): number {
    return families[codes[this.code]].exit
  }

  get status(): number {
    return ownStatus[this.code] ?? families[codes[this.code]].status
  }

  toBody(): ErrorBody {
    return {
      error: { code: this.code, message: this.message, ...(this.hint === undefined ? {} : { hint: this.hint }) },
    }
  }

  static fromBody(body: ErrorBody): ReinError {
    const code = Object.hasOwn(codes, body.error.code) ? body.error.code : 'failed'
    return new ReinError(code, body.error.message, body.error.hint)
  }
}

/** What Node says about a failed system call is put into words that help. */
export const asReinError = (cause: unknown): ReinError => {
  if (cause instanceof ReinError) return cause
  const failure = explainSystemError(cause)
  if (failure !== null) return new ReinError('failed', failure.message, failure.hint)
  return new ReinError('failed', cause instanceof Error ? cause.message : String(cause))
}
