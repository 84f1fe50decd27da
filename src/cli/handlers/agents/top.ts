import type { CliContext, JsonFlag } from '../../context.ts'
import { Dashboard } from '../../top/dashboard.ts'
import { untilAskedToEnd } from '../../top/terminal.ts'

export interface TopFlags {
  all?: boolean
}

export const run = async (context: CliContext, { all, json }: TopFlags & JsonFlag): Promise<void> => {
  if (!json) return new Dashboard(context, all).run()
  const changes = context.connect().watch({ all, detail: true }, untilAskedToEnd())
  for await (const { agents } of changes) context.out.record(agents)
}
