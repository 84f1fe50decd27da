import { expect, test } from 'vitest'
import { rulesOf, shell, worldOf } from '../../../test/support/rules-world.ts'
import { evaluate } from './evaluate.ts'
import { RuleMemories } from './memory.ts'

let now = 0
const rule = (limits: string): string => `  - { name: a, on: shell, action: warn, ${limits} }\n`

const acting = async (limits: string): Promise<{ act: () => Promise<number>; memories: RuleMemories }> => {
  now = 0
  const memories = new RuleMemories(() => now)
  const set = await rulesOf(rule(limits))
  const act = async (): Promise<number> => {
    const findings = await evaluate(set, [shell('x'), shell('y')], worldOf(), memories.of('ada'))
    memories.of('ada').acted(findings)
    return findings.length
  }
  return { act, memories }
}

test('once in a turn, and again in the next', async () => {
  const { act, memories } = await acting('once: turn')
  expect([await act(), await act()]).toEqual([2, 0])
  memories.beginTurn('ada')
  expect(await act()).toBe(2)
})

test('once in a session', async () => {
  const { act, memories } = await acting('once: session')
  await act()
  memories.beginTurn('ada')
  expect(await act()).toBe(0)
  memories.beginSession('ada')
  expect(await act()).toBe(2)
})

test('a call counts once, however many of its parts fit', async () => {
  const { act } = await acting('max: { turn: 2 }')
  expect([await act(), await act(), await act()]).toEqual([2, 2, 0])
})

test('silent for a while', async () => {
  const { act } = await acting('cooldown: 10m')
  await act()
  now = 599_999
  expect(await act()).toBe(0)
  now = 600_000
  expect(await act()).toBe(2)
})

test('another agent is another', async () => {
  const { act, memories } = await acting('once: session')
  await act()
  const set = await rulesOf(rule('once: session'))
  expect(await evaluate(set, [shell('x')], worldOf(), memories.of('bob'))).toHaveLength(1)
})
