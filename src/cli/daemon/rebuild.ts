import type { CliContext, JsonFlag } from '../context.ts'

export const run = async ({ connect, out }: CliContext, { json }: JsonFlag): Promise<void> => {
  const result = await connect().rebuild()
  if (json) out.document(result)
  else out.line(`The current state was made again from ${result.records} records.${leftOut(result.skipped)}`)
}

const leftOut = (skipped: readonly number[]): string =>
  skipped.length === 0 ? '' : ` Left out, because they cannot be read: ${skipped.join(', ')}.`
