import { describe, expect, it } from 'vitest'
import { bash, FAULTS, guard, isDenied, notDenied, PASSED, useGuardBox } from '../process/guard-harness.ts'

useGuardBox()

const TIMES = 100

describe('a daemon that fails', () => {
  it.each(Object.entries(FAULTS))(
    '%s: what a guard may forbid is denied, 100 of 100, the rest runs',
    async (_, fail) => {
      await fail()
      expect(await notDenied(TIMES)).toEqual([])
      expect(await guard({ stdin: bash('git push origin main') })).toEqual(PASSED)
    },
  )
})

describe('an agent CLI that never ends its input', () => {
  it('is denied 100 of 100', async () => {
    const all = await Promise.all(Array.from({ length: TIMES }, () => guard({ stdin: '', isLeftOpen: true })))
    expect(all.filter((result) => !isDenied(result))).toEqual([])
  })
})
