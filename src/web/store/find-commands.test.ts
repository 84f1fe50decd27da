import { expect, test } from 'vitest'
import { findCommands } from './find-commands.ts'

const commands = ['Go to Agents', 'Go to ada', 'Interrupt ada', 'Stop ada', 'Stop worker-1', 'Theme: dark'].map(
  (name) => ({
    name,
  }),
)
const found = (typed: string): string[] => findCommands(commands, typed).map(({ name }) => name)

test('nothing typed: all, in their order', () => {
  expect(found('')).toEqual(commands.map(({ name }) => name))
})

test.each([
  ['int', 'Interrupt ada'],
  ['stop w', 'Stop worker-1'],
  ['sa', 'Stop ada'],
  ['dark', 'Theme: dark'],
  ['gagents', 'Go to Agents'],
])('%s finds %s first', (typed, name) => {
  expect(found(typed)[0]).toBe(name)
})

test('letters in another order find nothing', () => {
  expect(found('zzz')).toEqual([])
})
