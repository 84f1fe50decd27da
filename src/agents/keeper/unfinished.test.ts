import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unfinished } from './unfinished.ts'

const esc = '\u001b'
const parts = [
  'text',
  'grüße 日本 👍',
  `${esc}[31;1m`,
  `${esc}[?2026$p`,
  `${esc}(B`,
  `${esc}]0;title\u0007`,
  `${esc}]8;;a${esc}\\`,
  `${esc}P+q${esc}\\`,
]

test.each([...parts, '', `${esc}7`, `${esc}]0;cut off\u0018`])('%j is whole', (text) => {
  expect(unfinished(Buffer.from(text)).length).toBe(0)
})

test.each([
  ['a', esc],
  ['a', `${esc}[38;5`],
  [`${esc}[m`, `${esc}(`],
  ['a', `${esc}]0;title`],
  [`${esc}]0;a\u0007`, `${esc}]0;title${esc}`],
  ['a', `${esc}Pq1`],
])('after %j %j has only begun', (whole, begun) => {
  expect(unfinished(Buffer.from(whole + begun)).toString()).toBe(begun)
})

test('wherever it is cut: what has begun and the rest make whole parts', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts)), fc.nat(), (some, at) => {
      const all = Buffer.from(some.join(''))
      const cut = at % (all.length + 1)
      const begun = unfinished(all.subarray(0, cut))
      expect(unfinished(Buffer.concat([begun, all.subarray(cut)])).length).toBe(0)
      expect(all.subarray(cut - begun.length).toString()).not.toContain('\ufffd')
    }),
  )
})
