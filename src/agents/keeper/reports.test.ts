import { expect, test } from 'vitest'
import { isReport } from './reports.ts'

const esc = '\u001b'

test.each([
  `${esc}[?62;22c`,
  `${esc}[12;40R`,
  `${esc}[I`,
  `${esc}]11;rgb:0000/0000/0000\u0007`,
  `${esc}P>|xterm(390)${esc}\\${esc}[?1u`,
])('a terminal says %j by itself', (text) => {
  expect(isReport(Buffer.from(text))).toBe(true)
})

test.each(['a', '\r', esc, `${esc}[A`, `${esc}[97;5u`, `${esc}[Ia`, `${esc}[200~text${esc}[201~`, 'é', ''])(
  'a person typed %j',
  (text) => {
    expect(isReport(Buffer.from(text))).toBe(false)
  },
)
