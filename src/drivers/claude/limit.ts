import type { Limit } from '../../contract/conversation.ts'
import { resetTime } from '../reset-time.ts'

/** The account's limit; a busy server has other messages, after Claude Code has tried ten times. */
const words = /^(You've (hit|reached) your |You're out of |Your org is out of usage)|usage limit reached/

/** What Claude Code's own message about an error of the kind `rate_limit` says of a usage limit. */
export const findLimit = (error: unknown, message: string, now: number): Limit | null =>
  error === 'rate_limit' && words.test(message) ? { until: resetTime(message, now) } : null
