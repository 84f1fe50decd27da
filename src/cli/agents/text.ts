import type { AgentView } from '../../contract/routes/agents.ts'
import { isLoginQuestion } from '../../contract/login-question.ts'
import { answerLines } from './question-text.ts'
import { collectLines, counted, formatAge, formatTable, nameProjects, printable, shorten } from '../format.ts'
import { nameFrom, projectName } from '../../contract/handle.ts'
import type { CliContext } from '../context.ts'
import type { Style } from '../output.ts'

const header = ['HANDLE', 'PROJECT', 'DRIVER', 'HOST', 'STATE', 'SINCE', 'PID', 'INBOX', 'CWD']
const questionLimit = 120
const reasonLimit = 300

/** How and where agents are shown: the commands beside them are to be typed there. */
interface Place {
  style: Style
  cwd: string
  columns?: number | undefined
}

export const placeOf = ({ out, cwd }: Pick<CliContext, 'out' | 'cwd'>): Place => {
  const { style, columns } = out
  return { style, columns, cwd: cwd() }
}

export const agentTable = (agents: AgentView[], now: number, place: Place): string => {
  const { style, columns } = place
  if (agents.length === 0) return "No agents. Start one: rein up worker-1 --prompt 'What is in this directory?'"
  const nameProject = nameProjects(agents.map(({ project }) => project))
  const rows = agents.map((agent) => {
    const counts = Object.entries(agent.inbox).filter(([, count]) => count > 0)
    return [
      agent.handle,
      nameProject(agent.project),
      `${agent.driver} ${agent.version}`,
      agent.host,
      stateText(agent),
      formatAge(agent.since, now),
      agent.pid === null ? '-' : String(agent.pid),
      counts.length === 0
        ? '-'
        : counts
            .map(([state, count]) => (state === 'notices' ? counted(count, 'notice') : `${count} ${state}`))
            .join(', '),
      printable(agent.cwd),
    ]
  })
  const stateColumn = header.indexOf('STATE')
  const paint = (cell: string, column: number, row: number): string =>
    column === stateColumn ? colourState(agents[row]?.state, style)(cell) : cell
  return [
    formatTable(header, rows, { columns, paint, optional: ['PID', 'HOST', 'CWD'] }),
    ...agents.flatMap((agent) => notes(agent, place)),
  ].join('\n')
}

export const agentLine = (agent: AgentView, place: Place): string =>
  [
    `${place.style.bold(agent.handle)} (${projectName(agent.project)}) is ${stateText(agent)}${agent.pid === null ? '' : `, pid ${agent.pid}`}`,
    ...notes(agent, place),
  ].join('\n')

/** A CLI that is not logged in waits for nothing that could be answered. */
const stateText = ({ state, question }: AgentView): string =>
  isLoginQuestion(question) ? 'not logged in' : state.replaceAll('_', ' ')

const colourState = (state: AgentView['state'] | undefined, style: Style): ((text: string) => string) => {
  if (state === 'working' || state === 'starting') return style.green
  if (state === 'crashed' || state === 'looping') return style.red
  return state === 'idle' || state === 'stopped' ? style.dim : style.yellow
}

const notes = (agent: AgentView, { style, cwd }: Place): string[] => {
  const name = nameFrom(cwd, agent)
  const { handle, pid, host, state, question, pauseReason, weakened, health, wake } = agent
  const warnings = collectLines(
    weakened.map((what) => `${handle}: rules and guards may not apply: ${printable(what)}`),
    // An agent that has ended has no hooks that could be silent.
    pid !== null &&
      health.hooks === 'silent' &&
      `${handle}: its hooks are silent: nothing reaches it while it works. Check: rein doctor`,
    pid !== null &&
      health.failures > 0 &&
      `${handle}: ${health.failures === 1 ? 'its last wake' : `its last ${health.failures} wakes`} had no effect`,
    // Only an idle agent needs to be woken.
    state === 'idle' &&
      wake === 'keys_instead' &&
      `${handle}: to wake it, Rein types into its terminal until its next turn`,
    state === 'idle' && wake === 'none' && `${handle}: it cannot be woken until its next turn`,
  )
  return collectLines(
    question !== null && isLoginQuestion(question) && loginLines(agent, name, style),
    question !== null &&
      !isLoginQuestion(question) &&
      collectLines(
        style.yellow(`${handle} asks: ${shorten(questionText(question), questionLimit)}`),
        question.why !== undefined && `  ${shorten(question.why, reasonLimit)}`,
        answerLines(name, { question, host }).map((line) => `  ${line}`),
      ),
    pauseReason !== null && [
      style.yellow(`${handle} was stopped: ${shorten(pauseReason, reasonLimit)}`),
      `  rein resume ${name}`,
    ],
    warnings.map((line) => style.yellow(line)),
  )
}

const loginLines = ({ handle, question, host }: AgentView, name: string, style: Style): string[] => {
  const { summary = '', why = '', options = [] } = question ?? {}
  return collectLines(
    style.yellow(`${handle} is not logged in: ${shorten(summary, questionLimit)}`),
    `  ${printable(why)}`,
    // A dialog that offers ways to log in can be answered.
    question !== null && options.length > 0 && answerLines(name, { question, host }).map((line) => `  ${line}`),
  )
}

/** Most summaries begin with the tool themselves. */
export const questionText = ({ tool, summary }: NonNullable<AgentView['question']>): string =>
  summary.startsWith(tool) ? summary : `${tool}: ${summary}`
