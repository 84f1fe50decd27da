import { agentLine } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, _: object, target: string) => connect().unpause({ target, cwd: cwd() }),
  (agent, { out }) => agentLine(agent, out.style),
)
