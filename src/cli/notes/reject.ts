import type { CliContext, JsonFlag } from '../context.ts'

export const run = async ({ connect, out, cwd }: CliContext, { json }: JsonFlag, name: string): Promise<void> => {
  const rejected = await connect().rejectNote({ cwd: cwd(), name })
  if (json) out.document(rejected)
  else out.line(`${rejected.name} is thrown away.`)
}
