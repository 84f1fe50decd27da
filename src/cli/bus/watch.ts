import { ReinError } from '../../contract/errors.ts'
import { watchesText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

interface WatchFlags {
  add?: readonly string[]
  drop?: readonly string[]
}

export const run = showAnswer(({ connect, cwd }, { add = [], drop = [] }: WatchFlags, ...words: string[]) => {
  // A subject has a colon, a handle has none.
  const target = words[0]?.includes(':') ? undefined : words[0]
  const subjects = target === undefined ? words : words.slice(1)
  if (subjects.length > 0 && add.length + drop.length > 0)
    throw new ReinError('usage', 'Name all subjects, or change some with --add and --drop.')
  const set = subjects.length === 0 ? undefined : subjects
  return connect().watches({ cwd: cwd(), target, set, add: [...add], drop: [...drop] })
}, watchesText)
