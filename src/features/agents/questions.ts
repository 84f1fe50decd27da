import type { Agent, Question } from '../../contract/agent.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { OpenQuestion } from '../../contract/routes/questions.ts'
import type { AgentParts } from './parts.ts'
import { explainLogin } from './view.ts'

/** How far back it is looked for when a call was held. */
const newestRecords = 200

type QuestionParts = Pick<AgentParts, 'supervisor' | 'log'>

/** What agents ask and nobody has answered, oldest first: the open question of each, and the calls that were held back. */
export const questions = (parts: QuestionParts): OpenQuestion[] =>
  parts.supervisor.agents
    .flatMap((agent) => questionsOf(agent, parts))
    .toSorted((one, other) => one.since - other.since)

const questionsOf = (agent: Agent, { supervisor, log }: QuestionParts): OpenQuestion[] => {
  const { id, project, handle, question, held, since } = agent
  const ref = { id, project, handle }
  const canAlways = question !== null && supervisor.find(id)?.questions.whyOnlyOnce(question) === null
  const open =
    question === null ? [] : [{ agent: ref, question: explainLogin(agent, question), since, canAlways, isHeld: false }]
  if (held.length === 0) return open
  const records = log.readNewest('agents', id, newestRecords)
  return [
    ...open,
    ...held.map((one) => ({
      agent: ref,
      question: one,
      since: heldSince(records, one) ?? since,
      canAlways: false,
      isHeld: true,
    })),
  ]
}

/** When a call was held that still is: it may have been held before, too. */
export const heldSince = (records: readonly AnyRecord[], { id }: Pick<Question, 'id'>): number | null => {
  let since: number | null = null
  for (const record of records) {
    if (record.type !== 'agent.held') continue
    if (!record.body.held.some((one) => one.id === id)) since = null
    else since ??= record.at
  }
  return since
}

/** All open questions now, and again whenever they are others. */
export async function* watchQuestions(
  parts: QuestionParts,
  signal: AbortSignal,
): AsyncGenerator<{ questions: OpenQuestion[] }> {
  let shown = ''
  for await (const _ of parts.log.changes(['agents'], signal)) {
    const open = questions(parts)
    const text = JSON.stringify(open)
    if (text !== shown) yield { questions: open }
    shown = text
  }
}
