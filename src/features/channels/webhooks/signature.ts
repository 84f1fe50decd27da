import { createHmac } from 'node:crypto'
import { isEqual } from '../../../base/util/constant-time.ts'

/** How old a signed request may be: an older one may be a replay. */
const replayWindowMs = 5 * 60_000

/** The value of GitHub's `X-Hub-Signature-256`. */
export const signGithub = (secret: string, body: string): string => `sha256=${hmac(secret, body)}`

export const verifyGithub = (secret: string, body: string, header: string): boolean =>
  isEqual(signGithub(secret, body), header)

/** `timestamp` and `signature`: the headers `X-Slack-Request-Timestamp` and `X-Slack-Signature`. */
export const verifySlack = (
  secret: string,
  body: string,
  { timestamp, signature }: { timestamp: string; signature: string },
  now: number,
): boolean => {
  const isRecent = /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp) * 1000) <= replayWindowMs
  return isRecent && isEqual(`v0=${hmac(secret, `v0:${timestamp}:${body}`)}`, signature)
}

const hmac = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex')
