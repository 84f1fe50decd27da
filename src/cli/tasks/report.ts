import type { leadMessages } from '../../contract/task.ts'
import { publishedText } from '../bus/text.ts'
import { readTextInput } from '../text-input.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  async ({ connect, cwd, stdin }, _: object, kind: (typeof leadMessages)[number], text: string) =>
    connect().tellLead({ cwd: cwd(), kind, text: await readTextInput(text, stdin) }),
  (published, { out }) => publishedText(published, out),
)
