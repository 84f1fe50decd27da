import { expect, test } from 'vitest'
import { callerHeaders, withoutAgent } from './agent-env.ts'

test('keeps all but what makes an agent', () => {
  const env = {
    PATH: '/bin',
    REIN_HOME: '/r',
    REIN_TOKEN: 't',
    REIN_AGENT: 'a',
    REIN_SOCKET: 's',
    REIN_SPOOL: 'p',
    REIN_WAITERS: 'w',
    X: undefined,
  }
  expect(withoutAgent(env)).toEqual({ PATH: '/bin', REIN_HOME: '/r' })
})

test('says which process this is, where names can be seen', () => {
  const own = process.platform === 'linux' ? String(process.pid) : undefined
  expect(callerHeaders()['x-rein-caller']?.split('.')[0]).toBe(own)
  expect(callerHeaders()).toBe(callerHeaders())
})
