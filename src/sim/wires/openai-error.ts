/** An error as both OpenAI wires send it. */
import type { ApiError } from './wire.ts'

const CODES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'invalid_api_key',
  403: 'permission_denied',
  404: 'not_found',
  429: 'rate_limit_exceeded',
  503: 'server_is_overloaded',
}

export function openaiError({ status, message }: ApiError) {
  const code = CODES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  return { message, type: code, param: null, code }
}
