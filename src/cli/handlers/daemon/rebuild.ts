import type { CliContext, JsonFlag } from '../../context.ts'

export const run = async ({ connect, out }: CliContext, { json }: JsonFlag): Promise<void> => {
  const result = await connect().rebuild()
  if (json) out.document(result)
  else out.line(`The current state was made again from ${result.records} records.`)
}
