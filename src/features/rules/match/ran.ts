import type { z } from 'zod'
import type { RanMatcher } from '../../../contract/rule.ts'
import type { RunProgram } from '../../../base/shell/reading.ts'
import { succeededIn } from '../../../base/shell/success.ts'
import { escapeUnsafe } from '../../../base/util/visible.ts'
import type { World } from '../types.ts'
import { type Check, plainFit } from './answer.ts'
import { expression } from './regex.ts'

type Matcher = z.infer<typeof RanMatcher>

const longestTold = 200

/** Whether the agent ran such a program; what was not edited needs no run. */
export const ranCheck = (matcher: Matcher): Check => {
  const look = lookFor(matcher)
  return async ({ world }) => ((await look(world)) === 'ran' ? plainFit : null)
}

/** That it did not; where its success is only hidden, the agent is told how to show it. */
export const notRanCheck = (matcher: Matcher): Check => {
  const look = lookFor(matcher)
  return async ({ world }) => {
    const found = await look(world)
    if (found === 'ran') return null
    if (found === null) return plainFit
    const [name, whole] = [found.program, found.line].map((text) => escapeUnsafe(text.slice(0, longestTold)))
    const advice = `Whether ${name} passed cannot be told from how this ended: ${whole}\nRun it plainly: ${name}`
    return { ...plainFit, advice }
  }
}

/** A program that was run in a line that does not say how it ended. */
interface Hidden {
  program: string
  line: string
}

const lookFor = ({ pattern, outcome = 'success', since = 'edit' }: Matcher) => {
  // Anchored at the first word: printing a command or searching for it does not count as running it.
  const compiled = expression(`^(?:${pattern})`)
  return async (world: World): Promise<'ran' | Hidden | null> => {
    if (since === 'edit' && !(await world.hasEdited())) return 'ran'
    const all = await world.ran()
    const wanted = all.filter((run) => since === 'session' || (since === 'edit' ? run.isSinceEdit : run.isThisTurn))
    let hidden: Hidden | null = null
    for (const run of wanted.toReversed()) {
      const reading = await world.readShell(run.command, world.cwd)
      const isIt = ({ program, args, via, span }: RunProgram): boolean =>
        // As the program gets it, and, where it stands in the line itself, as it was written: `./check.sh`.
        compiled.test([program, ...args].join(' ')) ||
        (via.length === 0 && compiled.test(run.command.slice(span.start, span.end)))
      const found = reading.runs.find(isIt)
      if (found === undefined) continue
      const isAsWanted = run.isSuccess === (outcome === 'success')
      if (outcome === 'any' || (isAsWanted && succeededIn(reading).some(isIt))) return 'ran'
      if (outcome === 'success' && run.isSuccess !== false)
        hidden ??= { program: [found.program, ...found.args].join(' '), line: run.command }
    }
    return hidden
  }
}
