import path from 'node:path'
import { expect, test } from 'vitest'

const script = path.join(import.meta.dirname, '../../scripts/web-size.mjs')
const { BUDGET, measurePage } = (await import(script)) as {
  BUDGET: { first: number; all: number }
  measurePage: () => Promise<{ first: number; all: number; files: Map<string, number> }>
}

test('the page keeps to its budget, for the first view and in all', async () => {
  const { first, all, files } = await measurePage()
  expect([...files.keys()]).toEqual(
    expect.arrayContaining([expect.stringMatching(/^main-/), expect.stringMatching(/^agent-/)]),
  )
  expect(first).toBeLessThanOrEqual(BUDGET.first)
  expect(all).toBeLessThanOrEqual(BUDGET.all)
})
