import { expect, test } from 'vitest'
import { createBox } from '../process/harness.ts'
import { expectAllKept, killOften, writers } from '../process/kill-often.ts'
import { seeded, testSeed } from '../support/seeded.ts'

test(`thirty kills while ${writers} clients tell: nothing is lost, doubled or out of order`, async () => {
  const box = createBox()
  const campaign = await killOften(box, 30, seeded(testSeed))
  expectAllKept(box, campaign)
  expect(campaign.answered.flat().length).toBeGreaterThan(100)
})
