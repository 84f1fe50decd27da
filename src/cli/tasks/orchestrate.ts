import type { CliContext, JsonFlag } from '../context.ts'
import { alignColumns } from '../format.ts'
import { type LaunchFlags, toLaunch } from '../team/launch.ts'
import { type NewFlags, textsOf } from './new.ts'
import { showTask } from './shown.ts'

interface OrchestrateFlags extends NewFlags, LaunchFlags {
  agents?: number
  takeOver?: boolean
  save?: boolean
}

const usualAgents = 2

const show = showTask(async (context, flags: OrchestrateFlags, name) => {
  const { agents = usualAgents, takeOver, save } = flags
  const [texts, launch] = [await textsOf(context, flags), await toLaunch(context, flags)]
  return context.connect().orchestrate({ cwd: context.cwd(), name, agents, takeOver, save, launch, ...texts })
})

export const run = async (context: CliContext, flags: OrchestrateFlags & JsonFlag, name: string): Promise<void> => {
  await show(context, flags, name)
  if (flags.json) return
  for (const line of nextSteps(name)) context.out.hint(line)
}

/** What a person can do with a team that works now. */
const nextSteps = (name: string): string[] =>
  alignColumns([
    [`rein task show ${name}`, 'see how it goes'],
    [`rein chat ${name}`, 'talk with the team in its room'],
    [`rein story ${name}`, 'read what happened'],
    [`rein task done ${name}`, 'end it, and its agents'],
  ]).map((line) => `  ${line}`)
