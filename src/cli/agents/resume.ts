import { agentLine, placeOf } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, _: object, target: string) => connect().unpause({ target, cwd: cwd() }),
  (agent, context) => agentLine(agent, placeOf(context)),
)
