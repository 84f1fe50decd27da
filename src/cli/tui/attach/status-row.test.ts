import { Terminal } from '@xterm/headless'
import { expect, test } from 'vitest'
import { pad } from '../../cells.ts'
import { StatusRow } from './status-row.ts'

const size = { columns: 20, rows: 5 }

/** What a terminal of five rows shows after a program has written this, in pieces of so many bytes. */
const shownAfter = async (output: string, length = Infinity): Promise<string[]> => {
  const row = new StatusRow(size, (columns) => pad('Ctrl-q', columns))
  const terminal = new Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true })
  const bytes = Buffer.from(output)
  let text = Buffer.from(row.resize(size), 'latin1')
  for (let from = 0; from < bytes.length; from += Math.min(length, bytes.length))
    text = Buffer.concat([text, row.pass(bytes.subarray(from, from + Math.min(length, bytes.length)))])
  await new Promise<void>((resolve) => terminal.write(text, resolve))
  return Array.from({ length: size.rows }, (_, n) =>
    terminal.buffer.active.getLine(terminal.buffer.active.baseY + n),
  ).map((line) => line?.translateToString(true).trimEnd() ?? '')
}

test.each([
  ['lines that scroll', 'a\r\nb\r\nc\r\nd\r\ne\r\nf', ['c', 'd', 'e', 'f', 'Ctrl-q']],
  ['a screen that is cleared', 'x\u001b[2J\u001b[Hy', ['y', '', '', '', 'Ctrl-q']],
  ['the rest erased', '\u001b[Ha\u001b[J', ['a', '', '', '', 'Ctrl-q']],
  ['a limit that is taken back', '\u001b[1;2r\u001b[r\u001b[4;1Hz\r\ny', ['', '', 'z', 'y', 'Ctrl-q']],
  ['another screen', 'm\u001b[?1049h\u001b[4;1Ha\r\nb', ['', '', 'a', 'b', 'Ctrl-q']],
  ['a reset', 'm\u001bc\u001b[4;1Ha\r\nb', ['', '', 'a', 'b', 'Ctrl-q']],
  ['a title and characters of several bytes', '\u001b]0;grüße\u0007日本 ❯', ['日本 ❯', '', '', '', 'Ctrl-q']],
  ['a cursor that the program keeps', 'ab\u001b7\u001b[3;1Hc\u001b8d', ['abd', '', 'c', '', 'Ctrl-q']],
])('the row stays below %s, whatever the pieces', async (_, output, expected) => {
  expect(await shownAfter(output)).toEqual(expected)
  for (const length of [1, 2, 3, 7]) expect(await shownAfter(output, length)).toEqual(expected)
})

test('a sequence that never ends is not kept for ever', () => {
  const row = new StatusRow(size, () => '')
  const long = `\u001b]0;${'x'.repeat(2_000_000)}`
  expect(row.pass(Buffer.from(long)).toString('latin1').startsWith(long)).toBe(true)
})
