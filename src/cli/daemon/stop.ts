import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect }) => connect({ start: false }).stop(),
  ({ stopped, pid, killed }) => {
    if (!stopped) return 'The daemon was not running.'
    return killed ? `The daemon (pid ${pid}) did not answer and was killed.` : `The daemon (pid ${pid}) has stopped.`
  },
)
