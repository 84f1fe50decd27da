import type { z } from 'zod'
import type { RanMatcher } from '../../contract/rule.ts'
import { type Check, plainFit } from './answer.ts'
import { expression } from './regex.ts'

/** Whether the agent ran such a command; what was not edited needs no run. */
export const ranCheck = ({ pattern, outcome = 'success', since = 'edit' }: z.infer<typeof RanMatcher>): Check => {
  const compiled = expression(pattern)
  return ({ world }) => {
    if (since === 'edit' && !world.hasEdited()) return plainFit
    const isRun = world
      .ran()
      .filter((run) => since === 'session' || (since === 'edit' ? run.isSinceEdit : run.isThisTurn))
      .filter((run) => outcome === 'any' || run.isSuccess === (outcome === 'success'))
      .some((run) => compiled.test(run.command))
    return isRun ? plainFit : null
  }
}
