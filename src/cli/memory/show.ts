import type { CliContext, JsonFlag } from '../context.ts'
import { projectText } from './text.ts'

export const run = async ({ connect, out, cwd, now }: CliContext, { json }: JsonFlag): Promise<void> => {
  const project = await connect().projectCommands({ cwd: cwd() })
  if (json) out.document(project)
  else out.line(projectText(project, now(), out))
}
