import { expect, test } from 'vitest'
import { pageAddress } from './page-address.ts'

const hosts = ['box.tail1234.ts.net', 'localhost:8080', '[::1]:8080']

test.each([
  [undefined, [], 'http://127.0.0.1:4711'],
  ['127.0.0.1', hosts, 'http://127.0.0.1:4711'],
  [undefined, hosts, 'https://box.tail1234.ts.net'],
  ['BOX.tail1234.ts.net', hosts, 'https://box.tail1234.ts.net'],
  ['localhost:8080', hosts, 'http://localhost:8080'],
  ['[::1]:8080', hosts, 'http://[::1]:8080'],
])('%s of %j is %s', (wanted, names, expected) => {
  expect(pageAddress(wanted, names, 4711)).toBe(expected)
})

test.each(['evil.example', 'box.tail1234.ts.net:8443', 'localhost', 'x#pair='])('%s is none of them', (wanted) => {
  expect(() => pageAddress(wanted, hosts, 4711)).toThrow(/is not in web\.hosts: box/)
  expect(() => pageAddress(wanted, [], 4711)).toThrow(/which is empty/)
})
