import type { AgentView } from '../../contract/routes/agents.ts'
import { isLoginQuestion } from '../../contract/login-question.ts'
import { ReinError } from '../../contract/errors.ts'
import { nameFrom } from '../../contract/handle.ts'
import type { CliContext } from '../context.ts'
import { complain } from '../exit.ts'

/** Why an agent that was just started does nothing yet; null if it is ready. */
export const notReady = (agent: AgentView, cwd: string): ReinError | null => {
  const { handle, state, question } = agent
  if (state === 'starting')
    return new ReinError(
      'not_in_time',
      `${handle} runs, but shows nothing that says it is ready.`,
      `Look at it: rein attach ${nameFrom(cwd, agent)}`,
    )
  if (isLoginQuestion(question))
    return new ReinError('not_in_time', `${handle} is started, but its CLI is not logged in.`, question?.why)
  if (state !== 'awaiting_answer' || question?.id.startsWith('screen:') !== true) return null
  const message = `${handle} is not ready: it asks something at its start (${question.tool}). Answer it as shown above.`
  return new ReinError('not_in_time', message, `See all that it shows: rein answer ${nameFrom(cwd, agent)}`)
}

/** The exit code, too, says that the agent is started but does not work yet. Returns whether that is so. */
export const reportNotReady = ({ out, cwd, exitWith }: CliContext, agent: AgentView): boolean => {
  const error = notReady(agent, cwd())
  if (error === null) return false
  complain(out, error)
  exitWith(error.exitCode)
  return true
}
