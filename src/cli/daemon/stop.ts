import type { Stopped } from '../../contract/routes/daemon.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export const run = async ({ connect, out }: CliContext, { json }: JsonFlag): Promise<void> => {
  const result = await connect({ start: false }).stop()
  if (json) out.document(result)
  else out.line(said(result))
}

const said = ({ stopped, pid, killed }: Stopped): string => {
  if (!stopped) return 'The daemon was not running.'
  return killed ? `The daemon (pid ${pid}) did not answer and was killed.` : `The daemon (pid ${pid}) has stopped.`
}
