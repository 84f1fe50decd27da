import type { CliContext, JsonFlag } from '../context.ts'

export interface ReadFlags {
  part?: number
}

/** The text as it is: an agent reads this, and its transcript is the evidence. */
export const run = async ({ connect, out }: CliContext, flags: ReadFlags & JsonFlag, id: string): Promise<void> => {
  const read = await connect().read({ id, part: flags.part ?? null })
  if (flags.json) out.document(read)
  else out.line(read.text)
}
