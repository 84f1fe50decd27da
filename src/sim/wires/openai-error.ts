/** An error as both OpenAI wires send it. */
import { type ApiError, resetAfter } from './wire.ts'

const errorCodes: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'invalid_api_key',
  403: 'permission_denied',
  404: 'not_found',
  429: 'rate_limit_exceeded',
  503: 'server_is_overloaded',
}

/** The error of the service behind Codex; the other CLIs only see a 429 with another code. */
const usedUp = { type: 'usage_limit_reached', code: 'usage_limit_reached', plan_type: 'plus', param: null }

export const openaiError = ({ status, message, isQuota, retryAfter = 0 }: ApiError) => {
  if (isQuota === true) return { ...usedUp, message, resets_at: resetAfter(retryAfter), resets_in_seconds: retryAfter }
  const code = errorCodes[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  return { message, type: code, param: null, code }
}
