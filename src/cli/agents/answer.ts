import { ReinError } from '../../contract/errors.ts'
import { nameFrom } from '../../contract/handle.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import type { Client } from '../../client/client.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { alignColumns, printable } from '../format.ts'
import { suggestNext } from './next-steps.ts'
import { questionText } from './question-text.ts'
import { agentLine, placeOf } from './text.ts'

interface AnswerFlags {
  always?: boolean
  askAgain?: string
}

export const run = async (
  context: CliContext,
  { json, always = false, askAgain }: AnswerFlags & JsonFlag,
  target: string,
  answer?: string,
): Promise<void> => {
  const { connect, out, cwd } = context
  const client = connect()
  const here = { target, cwd: cwd() }
  if (askAgain !== undefined && (answer !== undefined || always))
    throw new ReinError('usage', '--ask-again answers nothing: give it alone.')
  const asking = await client.answer(here)
  const agent = await act(client, { asking, here, always, askAgain, answer })
  if (json) return out.document(agent)
  if (answer === undefined && agent.question !== null && askAgain === undefined)
    out.line(questionText(nameFrom(cwd(), agent), { question: agent.question, host: agent.host }, out.style))
  else out.line(agentLine(agent, placeOf(context)))
  for (const line of allowedLines(agent)) out.line(line)
  // `rein up` ended with this question instead of what can be done next.
  if (asking.question?.id.startsWith('screen:') === true && agent.question === null && agent.pid !== null)
    suggestNext(context, agent)
}

interface Act {
  asking: AgentView
  here: { target: string; cwd: string }
  always: boolean
  askAgain: string | undefined
  answer: string | undefined
}

const act = (client: Client, { asking, here, always, askAgain, answer }: Act): Promise<AgentView> | AgentView => {
  if (askAgain !== undefined) return client.askAgain({ ...here, call: askAgain })
  if (!always) return answer === undefined ? asking : client.answer({ ...here, answer })
  if (answer !== 'allow') throw new ReinError('usage', 'Only what is allowed can be allowed always: allow --always')
  if (asking.question === null)
    throw new ReinError('nothing_to_answer', `${asking.handle} is not waiting for an answer (${asking.state}).`)
  return client.allowAlways({ ...here, question: asking.question.id })
}

/** What it is not asked about any more, with the ids by which that is taken back. */
const allowedLines = ({ allowed = [] }: AgentView): string[] =>
  alignColumns(allowed.map(({ id, summary }) => [`always allowed ${id.slice(0, 8)}`, printable(summary)]))
