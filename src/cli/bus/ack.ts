import { ReinError } from '../../contract/errors.ts'
import { ackedText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(({ connect, cwd }, { all = false }: { all?: boolean }, ...ids: string[]) => {
  if (all === ids.length > 0) throw new ReinError('usage', 'Name events, or give --all.')
  return connect().ackEvents({ cwd: cwd(), ids, all })
}, ackedText)
