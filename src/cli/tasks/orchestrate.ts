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

export const run = async (context: CliContext, flags: OrchestrateFlags & JsonFlag, name: string): Promise<void> => {
  let room = name
  const { agents = usualAgents, takeOver, save } = flags
  const show = showTask(async ({ connect, cwd }) => {
    const [texts, launch] = [await textsOf(context, flags), await toLaunch(context, flags)]
    const task = await connect().orchestrate({ cwd: cwd(), name, agents, takeOver, save, launch, ...texts })
    room = task.room
    return task
  })
  await show(context, flags, name)
  if (flags.json) return
  const hints = alignColumns([
    [`rein task show ${name}`, 'see how it goes'],
    [`rein chat open ${room}`, 'talk with the team in its room'],
    [`rein story ${name}`, 'read what happened'],
    [`rein task done ${name}`, 'end it, and its agents'],
  ])
  for (const line of hints) context.out.hint(`  ${line}`)
}
