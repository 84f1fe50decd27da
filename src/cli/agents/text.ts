import type { AgentView } from '../../contract/routes/agents.ts'
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
      words(agent.state),
      formatAge(agent.since, now),
      agent.pid === null ? '-' : String(agent.pid),
      counts.length === 0 ? '-' : counts.map(([state, count]) => `${count} ${state}`).join(', '),
      printable(agent.cwd),
    ]
  })
  return [formatTable(header, rows), ...agents.flatMap((agent) => notes(agent, style))].join('\n')
}

/** One agent after something was done to it. */
export const agentLine = (agent: AgentView, style: Style): string =>
  [
    `${style.bold(agent.handle)} (${agent.project}) is ${words(agent.state)}${agent.pid === null ? '' : `, pid ${agent.pid}`}`,
    ...notes(agent, style),
  ].join('\n')

const words = (state: string): string => state.replaceAll('_', ' ')

/** What a person should know or do about it. */
const notes = (agent: AgentView, style: Style): string[] => {
  // One that is gone has nothing that could be silent.
  const {
    handle,
    pid,
    health: { hooks, failures },
  } = agent
  // Only one that is idle has to be woken.
  const { state, wake } = agent
  return collectLines(
    ...questionLines(agent, style),
    agent.pauseReason !== null && [
      style.yellow(`${agent.handle} was stopped: ${shorten(agent.pauseReason, reasonLimit)}`),
      `  rein unpause ${agent.handle}`,
    ],
    ...[
      ...agent.weakened.map((what) => `${handle}: rules and guards may not hold it: ${printable(what)}`),
      ...(pid === null
        ? []
        : [
            ...(hooks === 'silent'
              ? [`${handle}: its hooks are silent, so nothing reaches it while it works (rein doctor)`]
              : []),
            ...(failures > 0 ? [`${handle}: was woken ${failures === 1 ? 'once' : `${failures} times`} in vain`] : []),
          ]),
      ...(state !== 'idle'
        ? []
        : wake === 'keys_instead'
          ? [`${handle}: nobody listens there to wake it: it is typed to until its next turn`]
          : wake === 'none'
            ? [`${handle}: nobody listens there: it cannot be woken until its next turn`]
            : []),
    ].map((line) => style.yellow(line)),
  )
}

/** What is asked; most summaries begin with the tool themselves. */
export const questionText = ({ tool, summary }: NonNullable<AgentView['question']>): string =>
  summary.startsWith(tool) ? summary : `${tool}: ${summary}`

const questionLines = ({ handle, question }: AgentView, style: Style): string[] => {
  if (question === null) return []
  const how = question.kind === 'question' ? 'TEXT' : 'allow|deny|TEXT'
  const what = style.yellow(`${handle} asks: ${shorten(questionText(question), questionLimit)}`)
  const why = question.why === undefined ? [] : [`  ${shorten(question.why, reasonLimit)}`]
  return [what, ...why, `  rein answer ${handle} ${how}`]
}
