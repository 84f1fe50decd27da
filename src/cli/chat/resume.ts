import { pausedText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, _: object, room: string) => connect().pauseRoom({ cwd: cwd(), room, isPaused: false }),
  (unpaused, { now }) => pausedText(unpaused, now()),
)
