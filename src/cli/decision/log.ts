import { decidedText } from './text.ts'
import { readTextInput } from '../text-input.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  async ({ connect, cwd, stdin }, _: object, given: string) =>
    connect().decide({ cwd: cwd(), text: await readTextInput(given, stdin) }),
  decidedText,
)
