import { expect, test } from 'vitest'
import { Serial } from './serial.ts'

test('jobs run one at a time, and a failed one stops only itself', async () => {
  const [serial, told] = [new Serial(), [] as string[]]
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  const first = serial.run(async () => {
    await gate
    told.push('first')
    throw new Error('first')
  })
  const second = serial.run(() => told.push('second'))
  open()
  await expect(first).rejects.toThrow('first')
  expect(await second).toBe(2)
  await serial.idle()
  expect(told).toEqual(['first', 'second'])
})
