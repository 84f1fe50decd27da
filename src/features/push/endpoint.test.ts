import { expect, test } from 'vitest'
import { readEndpoint } from './endpoint.ts'

const secret = 'dGhlIHNlY3JldA'

test.each([
  'nothing',
  '',
  `http://push.example/${secret}`,
  `ftp://push.example/${secret}`,
  'file:///etc/passwd',
  `https://user:word@push.example/${secret}`,
  `https://127.0.0.1/${secret}`,
  `https://0x7f.1/${secret}`,
  `https://2130706433/${secret}`,
  `https://[::1]/${secret}`,
  `https://[::ffff:10.0.0.1]/${secret}`,
  `https://8.8.8.8/${secret}`,
  `http://127.0.0.1:80/${secret}`,
])('%s is not accepted, and not repeated', (endpoint) => {
  expect(() => readEndpoint(endpoint, false)).toThrow(expect.objectContaining({ code: 'usage' }))
  expect(() => readEndpoint(endpoint, false)).not.toThrow(secret)
})

test('the address of a push service is accepted; one on this machine only in tests', () => {
  expect(readEndpoint(`https://fcm.googleapis.com/fcm/send/${secret}`, false).host).toBe('fcm.googleapis.com')
  expect(readEndpoint('http://127.0.0.1:8080/x', true).port).toBe('8080')
  expect(() => readEndpoint('http://127.0.0.2:8080/x', true)).toThrow('https')
  expect(() => readEndpoint('http://localhost:8080/x', true)).toThrow('https')
})
