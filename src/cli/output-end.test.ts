import { expect, test } from 'vitest'
import { OutputEnd } from './output-end.ts'

test('what is kept is how it ends, 64 KiB of it', () => {
  const end = new OutputEnd()
  for (let count = 0; count < 300; count += 1) end.push(Buffer.from(String(count % 10).repeat(1000)))
  end.push(Buffer.from('the end'))
  expect(end.text()).toHaveLength(64 * 1024)
  expect(end.text().endsWith('999the end')).toBe(true)
})

test('little is kept as it is', () => {
  const end = new OutputEnd()
  for (const text of ['a', 'b', '']) end.push(Buffer.from(text))
  expect(end.text()).toBe('ab')
  expect(new OutputEnd().text()).toBe('')
})
