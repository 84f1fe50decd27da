import type { Limit } from '../../contract/conversation.ts'
import { isObject, textOf } from '../../base/util/json.ts'
import { asObject } from '../json.ts'
import { resetTime, soonest } from '../reset-time.ts'

/** The usage limit in a turn's error; a busy server has another error name. */
export const findLimit = (error: unknown, now: number, resetsAt: number | null): Limit | null => {
  if (!isObject(error)) return null
  const name = error.codexErrorInfo ?? error.codex_error_info
  if (name !== 'usageLimitExceeded' && name !== 'usage_limit_exceeded') return null
  return { until: soonest(resetsAt === null ? [] : [resetsAt], now) ?? resetTime(textOf(error.message) ?? '', now) }
}

/** When the windows that are used up begin anew, by Codex's own count of them. */
export const findReset = (rateLimits: unknown): number | null => {
  const { primary, secondary } = asObject(rateLimits)
  const resets = [primary, secondary]
    .filter(isObject)
    .filter((window) => Number(window.usedPercent ?? window.used_percent) >= 100)
    .map((window) => window.resetsAt ?? window.resets_at)
    .filter((seconds) => typeof seconds === 'number')
    .map((seconds) => seconds * 1000)
  return resets.length === 0 ? null : Math.max(...resets)
}
