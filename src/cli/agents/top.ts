import { ReinError } from '../../contract/errors.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { isInteractive, untilAskedToEnd } from '../tui/terminal/terminal.ts'
import { Dashboard } from '../tui/top/dashboard.ts'

export const run = async (context: CliContext, { all, json }: { all?: boolean } & JsonFlag): Promise<void> => {
  if (!json && !isInteractive(context.env))
    throw new ReinError('usage', 'This needs a terminal.', 'For programs: rein top --json, or rein ps --watch.')
  if (!json) return new Dashboard(context, all).run()
  const changes = context.connect().watch({ all, detail: true }, untilAskedToEnd())
  for await (const { agents } of changes) context.out.record(agents)
}
