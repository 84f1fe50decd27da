import { agentLine, placeOf } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { reportNotReady } from './not-ready.ts'

interface RestartFlags {
  fresh?: boolean
}

export const run = async (context: CliContext, flags: RestartFlags & JsonFlag, target: string): Promise<void> => {
  const { connect, out, cwd } = context
  const agent = await connect().restart({ target, cwd: cwd(), fresh: flags.fresh ?? false })
  if (flags.json) out.document(agent)
  else out.line(agentLine(agent, placeOf(context)))
  reportNotReady(context, agent)
}
