import { ReinError } from '../../contract/errors.ts'
import { controlTable } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { agent: target }: { agent?: string }, line?: string) => {
    if (line?.trim() === '')
      throw new ReinError('usage', 'There is nothing in this line.', 'Without a line: what was written so far.')
    const where = { cwd: cwd(), target }
    return line === undefined ? connect().controls(where) : connect().control({ ...where, line })
  },
  (said, { now, out }) => controlTable(said, now(), out),
)
