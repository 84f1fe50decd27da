import type { CliContext, JsonFlag } from '../../context.ts'

export const run = async ({ connect, out }: CliContext, { json }: JsonFlag): Promise<void> => {
  const result = await connect({ start: false }).stop()
  if (json) out.document(result)
  else out.line(result.stopped ? `The daemon (pid ${result.pid}) has stopped.` : 'The daemon was not running.')
}
