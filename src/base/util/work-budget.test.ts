import { expect, test } from 'vitest'
import { OverBudget, WorkBudget } from './work-budget.ts'

test('what is spent stays spent', () => {
  const work = new WorkBudget(10)
  work.spend(10)
  expect([work.spent, work.isSpent]).toEqual([10, false])
  expect(() => work.spend(1)).toThrow(OverBudget)
  expect(work.isSpent).toBe(true)
  expect(() => work.spend(0)).toThrow(OverBudget)
})

test('what goes beyond any limit spends all', () => {
  const work = new WorkBudget(10)
  expect(() => work.exhaust()).toThrow(OverBudget)
  expect(work.isSpent).toBe(true)
})
