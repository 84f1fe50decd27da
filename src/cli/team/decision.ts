import type { CliContext, JsonFlag } from '../context.ts'
import { decidedText } from './text.ts'
import { readTextInput } from '../text-input.ts'

export const run = async (
  { connect, out, cwd, stdin }: CliContext,
  { json }: JsonFlag,
  given: string,
): Promise<void> => {
  const decided = await connect().decide({ cwd: cwd(), text: await readTextInput(given, stdin) })
  if (json) out.document(decided)
  else out.line(decidedText(decided))
}
