import { pausedText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, flags: { for?: number }, room: string) =>
    connect().pauseRoom({ cwd: cwd(), room, isPaused: true, forMs: flags.for }),
  (paused, { now }) => pausedText(paused, now()),
)
