import { agentLine, placeOf } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export const run = async (context: CliContext, flags: { now?: boolean } & JsonFlag, target: string): Promise<void> => {
  const { connect, out, cwd } = context
  const agent = await connect().pause({ target, cwd: cwd(), now: flags.now ?? false })
  if (flags.json) return out.document(agent)
  out.line(agentLine(agent, placeOf(context)))
  if (agent.state !== 'paused') out.line('Its turn may end; after that it is paused. To interrupt it: --now')
}
