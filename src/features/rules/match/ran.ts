import type { z } from 'zod'
import type { RanMatcher } from '../../../contract/rule.ts'
import type { RunProgram } from '../../../base/shell/reading.ts'
import { succeededIn } from '../../../base/shell/success.ts'
import { escapeUnsafe } from '../../../base/util/visible.ts'
import type { RanLine, World } from '../types.ts'
import { type Check, plainFit } from './answer.ts'
import { expression } from './regex.ts'

type Matcher = z.infer<typeof RanMatcher>
type Ran = RanLine

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
    return found === null ? plainFit : { ...plainFit, advice: adviceOn(found) }
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
      const isIt = (program: RunProgram): boolean => textsOf(program, run).some((text) => compiled.test(text))
      const program = reading.runs.find(isIt)
      if (program === undefined) continue
      if (outcome === 'any' || (isAs(run, outcome) && succeededIn(reading).some(isIt))) return 'ran'
      if (outcome === 'success' && run.isSuccess !== false) hidden ??= { program: wordsOf(program), line: run.command }
    }
    return hidden
  }
}

const isAs = ({ isSuccess }: Ran, outcome: 'success' | 'failure'): boolean => isSuccess === (outcome === 'success')

const wordsOf = ({ program, args }: RunProgram): string => [program, ...args].join(' ')

/** As the program gets it, and, where it stands in the line itself, as it was written: `./check.sh`. */
const textsOf = (run: RunProgram, { command }: Ran): string[] => [
  wordsOf(run),
  ...(run.via.length === 0 ? [command.slice(run.span.start, run.span.end)] : []),
]

const longestTold = 200

const adviceOn = ({ program, line }: Hidden): string => {
  const [name, whole] = [program, line].map((text) => escapeUnsafe(text.slice(0, longestTold)))
  return `Whether ${name} passed cannot be told from how this ended: ${whole}\nRun it plainly: ${name}`
}
