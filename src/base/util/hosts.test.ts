import { expect, test } from 'vitest'
import { isLoopback, readHosts } from './hosts.ts'

test('names and addresses, with or without a port, in small letters', () => {
  expect(readHosts('')).toEqual([])
  expect(readHosts(' Box.tail1234.ts.net  localhost:8080\t127.0.0.1:9 [::1]:65535 ')).toEqual([
    'box.tail1234.ts.net',
    'localhost:8080',
    '127.0.0.1:9',
    '[::1]:65535',
  ])
})

test.each(['*', '*.ts.net', 'https://box', 'box/', 'box:0', 'box:65536', 'box:', 'a b,c', 'user@box', '.box', 'bö'])(
  '%s is none',
  (text) => {
    expect(readHosts(text)).toBeNull()
  },
)

test.each([
  ['localhost:8080', true],
  ['rein.localhost', true],
  ['127.0.0.1:80', true],
  ['[::1]', true],
  ['localhost.evil.example', false],
  ['127.evil.example', false],
])('%s is this machine: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})
