import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, _: object, target?: string) => connect().context({ target, cwd: cwd() }),
  ({ handle, model, tokens, window, percent }) => {
    if (tokens === null) return `${handle} has had no reply yet.`
    const share = window === null ? 'the size of its window is not known' : `${percent} % of ${window}`
    return `${handle}: ${tokens} tokens in context, ${share} (${model ?? 'unknown model'})`
  },
)
