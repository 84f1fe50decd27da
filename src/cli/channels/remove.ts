import type { CliContext, JsonFlag } from '../context.ts'

export const run = async ({ connect, out }: CliContext, { json }: JsonFlag, name: string): Promise<void> => {
  const left = await connect().removeChannel({ name })
  if (json) out.document(left)
  else out.line(`${name} is forgotten.`)
}
