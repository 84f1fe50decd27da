import type { Question } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { nameFrom } from '../../contract/handle.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import type { Client } from '../../client/client.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { alignColumns, printable } from '../format.ts'
import { isConfirmed, refuseUnasked } from '../confirm.ts'
import { suggestNext } from './next-steps.ts'
import { questionText, requestText } from './question-text.ts'
import { agentLine, placeOf } from './text.ts'

interface AnswerFlags {
  always?: boolean
  question?: string
  askAgain?: string
}

export const run = async (
  context: CliContext,
  { json, always = false, question, askAgain }: AnswerFlags & JsonFlag,
  target: string,
  answer?: string,
): Promise<void> => {
  const { connect, out, cwd } = context
  const client = connect()
  const here = { target, cwd: cwd() }
  if (askAgain !== undefined && (answer !== undefined || always || question !== undefined))
    throw new ReinError('usage', '--ask-again answers nothing: give it alone.')
  if (question !== undefined && answer === undefined)
    throw new ReinError('usage', '--question names what an answer is for: give an answer, too.')
  const asking = await client.answer({ ...here, question })
  const agent = await act(context, client, { asking, here, json, always, question, askAgain, answer })
  if (agent === null) return out.note('Nothing was allowed.')
  if (json) return out.document(agent)
  if (answer === undefined && agent.question !== null && askAgain === undefined) {
    const canAlways = await canAllowAlways(client, agent.question)
    const shown = { question: agent.question, host: agent.host, canAlways }
    out.line(questionText(nameFrom(cwd(), agent), shown, out.style))
  } else out.line(agentLine(agent, placeOf(context)))
  for (const line of allowedLines(agent)) out.line(line)
  // `rein up` ended with this question instead of what can be done next.
  if (asking.question?.id.startsWith('screen:') === true && agent.question === null && agent.pid !== null)
    suggestNext(context, agent)
}

interface Act {
  asking: AgentView
  here: { target: string; cwd: string }
  json: boolean | undefined
  always: boolean
  question: string | undefined
  askAgain: string | undefined
  answer: string | undefined
}

/** Null: the person who was shown the call did not want it allowed for good. */
const act = async (
  context: CliContext,
  client: Client,
  { asking, here, json, always, question, askAgain, answer }: Act,
): Promise<AgentView | null> => {
  if (askAgain !== undefined) return client.askAgain({ ...here, call: askAgain })
  if (!always) return answer === undefined ? asking : client.answer({ ...here, answer, question })
  if (answer !== 'allow') throw new ReinError('usage', 'Only what is allowed can be allowed always: allow --always')
  if (question !== undefined) return client.allowAlways({ ...here, question })
  if (asking.question === null)
    throw new ReinError('nothing_to_answer', `${asking.handle} is not waiting for an answer (${asking.state}).`)
  const { id } = asking.question
  return (await isWanted(context, client, { ...asking, question: asking.question }, json))
    ? client.allowAlways({ ...here, question: id })
    : null
}

/** What is open when the command arrives may be another call than the one that a person has read. */
const isWanted = async (
  context: CliContext,
  client: Client,
  asking: AgentView & { question: Question },
  json: boolean | undefined,
): Promise<boolean> => {
  const name = nameFrom(context.cwd(), asking)
  const hint = `Read the call and its id, then name it with --question: rein answer ${name} --json`
  refuseUnasked(context, { json }, hint)
  // The daemon says why not.
  if (!(await canAllowAlways(client, asking.question))) return true
  context.out.line(requestText(name, asking.question, context.out.style))
  return isConfirmed(context, 'Allow exactly this call, whenever it is asked for?')
}

const canAllowAlways = async (client: Client, { id }: Question): Promise<boolean> =>
  (await client.questions({})).some(({ question, canAlways }) => question.id === id && canAlways)

/** What it is not asked about any more, with the ids by which that is taken back. */
const allowedLines = ({ allowed = [] }: AgentView): string[] =>
  alignColumns(allowed.map(({ id, summary }) => [`always allowed ${id.slice(0, 8)}`, printable(summary)]))
