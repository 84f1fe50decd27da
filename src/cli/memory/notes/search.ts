import { ReinError } from '../../../contract/errors.ts'
import { foundTable } from './text.ts'
import { showAnswer } from '../../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { limit }: { limit?: number }, ...words: string[]) => {
    const text = words.join(' ')
    if (text.trim() === '') throw new ReinError('usage', 'There is nothing to look for.', 'Give some words.')
    return connect().searchNotes({ cwd: cwd(), text, limit })
  },
  (found, { out }) => foundTable(found, out.columns),
)
