import { expect, test } from 'vitest'
import { KeyedSerial, Serial } from './serial.ts'

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

test('jobs of one key wait for each other, those of another key do not', async () => {
  const [serial, told] = [new KeyedSerial(), [] as string[]]
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  const first = serial.run('a', async () => {
    await gate
    told.push('a1')
    throw new Error('a1')
  })
  const second = serial.run('a', () => told.push('a2'))
  await serial.run('b', () => told.push('b1'))
  open()
  await expect(first).rejects.toThrow('a1')
  await second
  expect(told).toEqual(['b1', 'a1', 'a2'])
})
