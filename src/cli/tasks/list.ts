import type { CliContext, JsonFlag } from '../context.ts'
import { taskTable } from './text.ts'

export const run = async ({ connect, out, cwd, now }: CliContext, { json }: JsonFlag): Promise<void> => {
  const tasks = await connect().tasks({ cwd: cwd() })
  if (json) out.document(tasks)
  else out.line(taskTable(tasks, now()))
}
