import type { CliContext, JsonFlag } from '../context.ts'

export const run = async ({ connect, out }: CliContext, { json }: JsonFlag, name: string): Promise<void> => {
  const left = await connect().stopAdapter({ name })
  if (json) out.document(left)
  else out.line(`${name} has ended, and is not started again.`)
}
