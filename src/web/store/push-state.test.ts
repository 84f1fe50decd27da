import { expect, test } from 'vitest'
import { type PushFacts, pushStateOf } from './push-state.ts'

const off: PushFacts = { isSupported: true, isSecure: true, permission: 'default', endpoint: null, service: null }
const on: PushFacts = { ...off, permission: 'granted', endpoint: 'https://push.test/1', service: 'push.test' }

test.each<[string, PushFacts, string]>([
  ['nobody has subscribed', off, 'off'],
  ['both sides know', on, 'on'],
  ['the daemon has forgotten', { ...on, service: null }, 'broken'],
  ['the browser has forgotten', { ...on, endpoint: null }, 'broken'],
  ['the permission was taken back', { ...on, permission: 'default' }, 'broken'],
  ['the person has blocked it', { ...on, permission: 'denied' }, 'impossible'],
  ['the page came without TLS', { ...off, isSecure: false }, 'impossible'],
  ['the browser cannot', { ...off, isSupported: false }, 'impossible'],
])('%s', (_, facts, kind) => {
  expect(pushStateOf(facts).kind).toBe(kind)
})
