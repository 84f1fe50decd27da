import { describe, expect, test } from 'vitest'
import { chosen, subjectOf } from './chosen.ts'
import { measureHooks } from './measure.ts'

describe.each(chosen)('$name', (cli) => {
  test.each(['stream', 'tmux'] as const)(
    '%s: what its hooks say arrives exactly where the driver claims it does',
    async (host) => {
      const { claimed, measured } = await measureHooks(await subjectOf(cli), host)
      expect(measured).toEqual(claimed)
    },
  )
})
