import { v7 } from 'uuid'
import { sentText } from './text.ts'
import { readTextInput } from '../text-input.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  async ({ connect, cwd, stdin }, _: object, room: string, given: string) => {
    const text = await readTextInput(given, stdin)
    // The id is chosen here, so that a repeated request is still one message.
    return connect().post({ cwd: cwd(), room, text, id: `post_${v7()}` })
  },
  (posted, { out }) => sentText(posted, out),
)
