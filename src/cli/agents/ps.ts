import { agentTable } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { noteBrokenSettings } from '../stale-settings.ts'
import { noteDamage } from '../daemon/status.ts'

export const run = async (
  context: CliContext,
  { all, watch, json }: { all?: boolean; watch?: boolean } & JsonFlag,
): Promise<void> => {
  const { connect, out, now } = context
  if (watch) return (await import('../tui/top/watch-table.ts')).watchTable(context, { all, json })
  const client = connect()
  const agents = await client.ps({ all })
  noteDamage(await client.status().catch(() => ({})), out)
  await noteBrokenSettings(context)
  if (json) out.document(agents)
  else out.line(agentTable(agents, now(), out.style))
}
