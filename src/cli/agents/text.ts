import type { AgentView } from '../../contract/routes/agents.ts'
import { isLoginQuestion } from '../../contract/login-question.ts'
import { answerLines } from './question-text.ts'
import { collectLines, formatAge, formatTable, printable, shorten } from '../format.ts'
import type { Style } from '../output.ts'

const header = ['HANDLE', 'PROJECT', 'DRIVER', 'HOST', 'STATE', 'SINCE', 'PID', 'INBOX', 'CWD']
const questionLimit = 120
const reasonLimit = 300

export const agentTable = (agents: AgentView[], now: number, style: Style): string => {
  if (agents.length === 0) return 'No agents. Start one: rein up <handle> --prompt TEXT'
  const rows = agents.map((agent) => {
    const counts = Object.entries(agent.inbox).filter(([, count]) => count > 0)
    return [
      agent.handle,
      printable(agent.project),
      `${agent.driver} ${agent.version}`,
      agent.host,
      stateText(agent),
      formatAge(agent.since, now),
      agent.pid === null ? '-' : String(agent.pid),
      counts.length === 0 ? '-' : counts.map(([state, count]) => `${count} ${state}`).join(', '),
      printable(agent.cwd),
    ]
  })
  return [formatTable(header, rows), ...agents.flatMap((agent) => notes(agent, style))].join('\n')
}

export const agentLine = (agent: AgentView, style: Style): string =>
  [
    `${style.bold(agent.handle)} (${agent.project}) is ${stateText(agent)}${agent.pid === null ? '' : `, pid ${agent.pid}`}`,
    ...notes(agent, style),
  ].join('\n')

/** A CLI that is not logged in waits for nothing that could be answered. */
const stateText = ({ state, question }: AgentView): string =>
  isLoginQuestion(question) ? 'not logged in' : state.replaceAll('_', ' ')

const notes = (agent: AgentView, style: Style): string[] => {
  const { handle, pid, state, question, pauseReason, weakened, health, wake } = agent
  const warnings = collectLines(
    weakened.map((what) => `${handle}: rules and guards may not hold it: ${printable(what)}`),
    // An agent that has ended has no hooks that could be silent.
    pid !== null &&
      health.hooks === 'silent' &&
      `${handle}: its hooks are silent, so nothing reaches it while it works (rein doctor)`,
    pid !== null &&
      health.failures > 0 &&
      `${handle}: was woken ${health.failures === 1 ? 'once' : `${health.failures} times`} in vain`,
    // Only an idle agent needs to be woken.
    state === 'idle' &&
      wake === 'keys_instead' &&
      `${handle}: nobody listens there to wake it: it is typed to until its next turn`,
    state === 'idle' && wake === 'none' && `${handle}: nobody listens there: it cannot be woken until its next turn`,
  )
  return collectLines(
    question !== null && isLoginQuestion(question) && loginLines(agent, style),
    question !== null &&
      !isLoginQuestion(question) &&
      collectLines(
        style.yellow(`${handle} asks: ${shorten(questionText(question), questionLimit)}`),
        question.why !== undefined && `  ${shorten(question.why, reasonLimit)}`,
        answerLines(handle, question).map((line) => `  ${line}`),
      ),
    pauseReason !== null && [
      style.yellow(`${handle} was stopped: ${shorten(pauseReason, reasonLimit)}`),
      `  rein resume ${handle}`,
    ],
    warnings.map((line) => style.yellow(line)),
  )
}

const loginLines = ({ handle, question }: AgentView, style: Style): string[] => {
  const { summary = '', why = '', options = [] } = question ?? {}
  return collectLines(
    style.yellow(`${handle} is not logged in: ${shorten(summary, questionLimit)}`),
    `  ${printable(why)}`,
    // A dialog that offers ways to log in can be answered.
    question !== null && options.length > 0 && answerLines(handle, question).map((line) => `  ${line}`),
  )
}

/** Most summaries begin with the tool themselves. */
export const questionText = ({ tool, summary }: NonNullable<AgentView['question']>): string =>
  summary.startsWith(tool) ? summary : `${tool}: ${summary}`
