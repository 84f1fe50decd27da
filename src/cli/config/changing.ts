import { briefly } from '../brief.ts'
import type { CliContext } from '../context.ts'
import { refuseAgents, refuseKnownAgents } from '../person-only.ts'

/** Scripts may change settings without a terminal and a daemon, but not switch rules off. */
export const refuseToChange = async (context: CliContext, key: string): Promise<void> => {
  await (key.startsWith('rules.') ? refuseAgents : refuseKnownAgents)(context, 'change settings')
}

/** The daemon reads settings once, when it starts. */
export const hintRestart = async ({ connect, out }: CliContext): Promise<void> => {
  const hello = await connect(briefly)
    .hello()
    .catch(() => null)
  if (hello !== null) out.hint('It takes effect when the daemon starts again: rein daemon stop (agents go on).')
}
