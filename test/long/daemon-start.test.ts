import { expect, test } from 'vitest'
import { createBox } from '../process/harness.ts'
import { leftovers, startAtOnce, startOver } from '../process/leftovers.ts'

const combinations = [...Array(16).keys()].map((bits) => leftovers.filter((_, index) => (bits >> index) & 1))

test.each(combinations.map((which) => ({ which })))('a daemon starts unaided over $which', async ({ which }) => {
  const { started, registered, stopped } = await startOver(createBox(), which)
  expect([registered, stopped]).toEqual([started, { stopped: true, pid: started, killed: false }])
})

test('one daemon serves forty clients that all start it at once, and losers leave its socket alone', async () => {
  const { daemons, served, ends, inodes } = await startAtOnce(createBox(), 20)
  expect([daemons, served]).toEqual([1, true])
  expect(ends).toEqual([0, 0, 0])
  expect(inodes[1]).toBe(inodes[0])
})
