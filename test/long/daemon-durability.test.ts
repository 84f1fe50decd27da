import { expect, test } from 'vitest'
import { createBox } from '../process/harness.ts'
import { expectAllKept, killOften, writers } from '../process/kill-often.ts'
import { seeded } from '../seeded.ts'

const seed = Number(process.env['REIN_TEST_SEED'] ?? 3)

test(`thirty kills while ${writers} clients tell: nothing is lost, doubled or out of order (REIN_TEST_SEED=${seed})`, async () => {
  const box = createBox()
  const campaign = await killOften(box, 30, seeded(seed))
  expectAllKept(box, campaign)
  expect(campaign.answered.flat().length).toBeGreaterThan(100)
})
