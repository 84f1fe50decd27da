import { agentLine } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export const run = async (context: CliContext, { json }: JsonFlag, target: string): Promise<void> => {
  const { connect, out, cwd } = context
  const agent = await connect().unpause({ target, cwd: cwd() })
  if (json) out.document(agent)
  else out.line(agentLine(agent, out.style))
}
