import { expect, test } from 'vitest'
import { comeAndGo, countWhole, writeAtOnce } from '../process/fifo-writers.ts'

test('100 writers at once, lines of up to 4,096 bytes: none damaged, each in order', async () => {
  const { texts, refused } = await writeAtOnce(100, 50, [16, 100, 512, 2000, 4095, 4096])
  expect([countWhole(texts).size, texts.length, refused]).toEqual([100, 5000, []])
})

test.each([4097, 5000, 8191, 8192, 16_385, 65_537])(
  '100 writers at once, lines of %i bytes: none accepted',
  async (bytes) => {
    const { texts, refused } = await writeAtOnce(100, 10, [bytes])
    expect(texts).toEqual([])
    expect(refused.length).toBeGreaterThan(0)
  },
)

test('no descriptor is left after 10,000 FIFOs that came and went', async () => {
  expect(await comeAndGo(200)).toEqual({ left: 0, troubles: [] })
})
