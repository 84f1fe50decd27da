import { describe, expect, test } from 'vitest'
import { signGithub, verifyGithub, verifySlack } from './signature.ts'

describe('GitHub', () => {
  // The example of GitHub's own documentation.
  const secret = "It's a Secret to Everybody"
  const body = 'Hello, World!'
  const header = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'

  test('signs and verifies as documented', () => {
    expect(signGithub(secret, body)).toBe(header)
    expect(verifyGithub(secret, body, header)).toBe(true)
  })

  test.each([
    ['another secret', 'secret', body, header],
    ['another body', secret, 'Hello, World', header],
    ['no signature', secret, body, ''],
    ['a part of it', secret, body, header.slice(0, -1)],
    ['the hash alone', secret, body, header.replace('sha256=', '')],
    ['capital letters', secret, body, header.toUpperCase()],
  ])('refuses %s', (_what, withSecret, withBody, withHeader) => {
    expect(verifyGithub(withSecret, withBody, withHeader)).toBe(false)
  })
})

describe('Slack', () => {
  // The example of Slack's own documentation.
  const secret = '8f742231b10e8888abcd99yyyzzz85a5'
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
  const headers = {
    timestamp: '1531420618',
    signature: 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  }
  const now = 1_531_420_618_000

  test('verifies as documented', () => {
    expect(verifySlack(secret, body, headers, now)).toBe(true)
  })

  test('believes it for five minutes, whichever clock is ahead', () => {
    const at = (ms: number): boolean => verifySlack(secret, body, headers, now + ms)
    expect([at(-300_001), at(-300_000), at(300_000), at(300_001)]).toEqual([false, true, true, false])
  })

  test.each([
    ['another secret', 'secret', body, headers],
    ['another body', secret, `${body}&`, headers],
    ['no signature', secret, body, { ...headers, signature: '' }],
    ['no time', secret, body, { ...headers, timestamp: '' }],
    ['another time', secret, body, { ...headers, timestamp: '1531420619' }],
    ['a time that only starts like one', secret, body, { ...headers, timestamp: '1531420618x' }],
  ])('refuses %s', (_what, withSecret, withBody, withHeaders) => {
    expect(verifySlack(withSecret, withBody, withHeaders, now)).toBe(false)
  })
})
