import type { Base } from '../../base/base.ts'
import { type Agent, isAlive, openQuestion, type Question } from '../../contract/agent.ts'
import type { Supervisor } from '../../agents/supervisor.ts'
import { continueCommand, fullName } from '../../contract/handle.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import { isLoginQuestion } from '../../contract/login-question.ts'
import { findDriver } from '../../drivers/registry.ts'
import { branchIn, workTree } from '../../base/util/work-tree.ts'
import { cutShown, escapeUnsafe } from '../../base/util/visible.ts'
import { countNotices, countStates } from '../inbox/store.ts'
import { weakenedBy } from '../../agents/launch/weakened.ts'

type ViewParts = Pick<Base, 'reader' | 'paths' | 'settings'> & { supervisor: Supervisor }

/** An agent as the commands show it. */
export const agentView = (parts: ViewParts, agent: Agent): AgentView => {
  const { reader, supervisor } = parts
  const { handle, project, driver, version, host, state, since, cwd, conversation } = agent
  const { evidence, until, isPaused, pauseReason, crashes, health } = agent
  const counts = countStates(reader, agent.id)
  const of = (...states: ('queued' | 'held' | 'offered' | 'placed' | 'seen' | 'acked')[]) =>
    states.reduce((sum, one) => sum + (counts.get(one) ?? 0), 0)
  const notices = countNotices(reader, agent.id)
  const inbox = {
    queued: of('queued', 'held') - notices,
    ...(notices === 0 ? {} : { notices }),
    offered: of('offered'),
    placed: of('placed'),
    seen: of('seen'),
    acked: of('acked'),
  }
  const branch = shownBranch(cwd)
  return {
    handle,
    project,
    driver,
    version,
    host,
    state,
    since,
    evidence,
    cwd,
    ...(branch === null ? {} : { branch }),
    pid: agent.process?.pid ?? null,
    conversation,
    question: explainQuestion(agent),
    ...(agent.allowed.length === 0
      ? {}
      : { allowed: agent.allowed.map(({ id, tool, summary }) => ({ id, tool, summary })) }),
    inbox,
    until,
    isPaused,
    pauseReason,
    crashes: crashes.length,
    health,
    weakened: weakenedBy(parts, agent),
    wake: isAlive(state) ? supervisor.agent(agent.id).wayToWake : null,
  }
}

const longestBranch = 200

/** Anybody who writes in that directory chooses the name. */
const shownBranch = (cwd: string): string | null => {
  const tree = workTree(cwd)
  const branch = tree === null ? null : branchIn(tree.git)
  return branch === null ? null : cutShown(escapeUnsafe(branch), longestBranch)
}

const explainQuestion = (agent: Agent): AgentView['question'] => {
  const question = openQuestion(agent)
  return question === null ? null : explainLogin(agent, question)
}

/** Only a login answers such a question, and it takes effect in a new process. */
export const explainLogin = (agent: Pick<Agent, 'driver' | 'handle' | 'project'>, question: Question): Question => {
  if (!isLoginQuestion(question)) return question
  const { command } = findDriver(agent.driver).login
  const name = fullName(agent)
  const isKey = /api.key/i.test(question.summary)
  const another = ` (with another key: rein down ${name} and then, in a shell that has it: ${continueCommand(agent)})`
  return { ...question, why: `Log in (${command}), then: rein restart ${name}${isKey ? another : ''}` }
}
