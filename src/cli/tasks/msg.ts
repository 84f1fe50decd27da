import type { leadMessages } from '../../contract/task.ts'
import { publishedText } from '../bus/text.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { readTextInput } from '../text-input.ts'

export const run = async (
  { connect, out, cwd, stdin }: CliContext,
  { json }: JsonFlag,
  kind: (typeof leadMessages)[number],
  text: string,
): Promise<void> => {
  const published = await connect().tellLead({ cwd: cwd(), kind, text: await readTextInput(text, stdin) })
  if (json) out.document(published)
  else out.line(publishedText(published))
}
