import { expect, test } from 'vitest'
import { createBox } from '../process/harness.ts'
import { leftovers, startOver } from '../process/leftovers.ts'

const combinations = [...Array(16).keys()].map((bits) => leftovers.filter((_, index) => (bits >> index) & 1))

test.each(combinations.map((which) => ({ which })))('a daemon starts unaided over $which', async ({ which }) => {
  const { started, registered, stopped } = await startOver(createBox(), which)
  expect([registered, stopped]).toEqual([started, { stopped: true, pid: started }])
})
