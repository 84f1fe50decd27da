import { generate } from 'lean-qr'
import { expect, test } from 'vitest'
import { qrWidth, renderQr } from './qr.ts'

const url = 'https://box.tail1234.ts.net/#pair=abcdefghijklmnopqrstuv'
const plain = renderQr(url).map((line) => line.replaceAll(/\u001b\[[\d;]*m/g, ''))

/** What a camera sees: dark is true. */
const modules = plain.flatMap((line) => [
  Array.from(line, (cell) => cell === '▀' || cell === '█'),
  Array.from(line, (cell) => cell === '▄' || cell === '█'),
])

test('a camera sees the code as it is, with four modules of white around it', () => {
  const code = generate(url)
  const side = code.size + 8
  const expected = Array.from({ length: side }, (_, y) =>
    Array.from({ length: side }, (__, x) => code.get(x - 4, y - 4)),
  )
  expect(modules.slice(0, side)).toEqual(expected)
  expect(modules.slice(side).flat()).not.toContain(true)
  expect(qrWidth(url)).toBe(side)
})

test('it is black on white in every theme, and its colours end with each line', () => {
  for (const line of renderQr(url)) expect(line).toMatch(/^\u001b\[38;5;16;48;5;231m[ ▀▄█]+\u001b\[0m$/)
})

test('it fits a terminal of 80 columns and 24 lines', () => {
  expect(qrWidth(url)).toBeLessThanOrEqual(80)
  expect(plain.length).toBeLessThanOrEqual(22)
})
