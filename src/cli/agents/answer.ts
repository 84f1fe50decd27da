import { agentLine } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { questionText } from './question-text.ts'

export const run = async (context: CliContext, { json }: JsonFlag, target: string, answer?: string): Promise<void> => {
  const { connect, out, cwd } = context
  const agent = await connect().answer({ target, cwd: cwd(), ...(answer === undefined ? {} : { answer }) })
  if (json) return out.document(agent)
  out.line(
    answer === undefined && agent.question !== null
      ? questionText(agent.handle, agent.question, out.style)
      : agentLine(agent, out.style),
  )
}
