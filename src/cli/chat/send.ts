import { v7 } from 'uuid'
import type { CliContext, JsonFlag } from '../context.ts'
import { sentText } from './text.ts'
import { readTextInput } from '../text-input.ts'

export const run = async (
  { connect, out, cwd, stdin }: CliContext,
  { json }: JsonFlag,
  room: string,
  given: string,
): Promise<void> => {
  const text = await readTextInput(given, stdin)
  // Chosen here, so that a request that has to be repeated is still one message.
  const posted = await connect().post({ cwd: cwd(), room, text, id: `post_${v7()}` })
  if (json) out.document(posted)
  else out.line(sentText(posted, out))
}
