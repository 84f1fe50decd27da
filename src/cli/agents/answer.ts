import { nameFrom } from '../../contract/handle.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { suggestNext } from './next-steps.ts'
import { questionText } from './question-text.ts'
import { agentLine, placeOf } from './text.ts'

export const run = async (context: CliContext, { json }: JsonFlag, target: string, answer?: string): Promise<void> => {
  const { connect, out, cwd } = context
  const client = connect()
  const asking = await client.answer({ target, cwd: cwd() })
  const agent = answer === undefined ? asking : await client.answer({ target, cwd: cwd(), answer })
  if (json) return out.document(agent)
  if (answer === undefined && agent.question !== null)
    return out.line(questionText(nameFrom(cwd(), agent), { question: agent.question, host: agent.host }, out.style))
  out.line(agentLine(agent, placeOf(context)))
  // `rein up` ended with this question instead of what can be done next.
  if (asking.question?.id.startsWith('screen:') === true && agent.question === null && agent.pid !== null)
    suggestNext(context, agent)
}
