import { archivedText } from './text.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect, cwd }, { keep }: { keep: number }, room: string) => connect().archiveRoom({ cwd: cwd(), room, keep }),
  archivedText,
)
