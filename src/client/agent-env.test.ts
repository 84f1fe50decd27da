import { expect, test } from 'vitest'
import { ancestorsHeader, withoutAgent } from './agent-env.ts'

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

test('names the processes above this one, where they can be read', () => {
  const nearest = process.platform === 'linux' ? String(process.ppid) : undefined
  expect(ancestorsHeader()['x-rein-pids']?.split(',')[0]).toBe(nearest)
})
