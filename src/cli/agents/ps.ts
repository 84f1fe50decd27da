import { countStates, statusSegment } from './state-counts.ts'
import { agentTable, placeOf } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { noteBrokenSettings } from '../stale-settings.ts'
import { noteDamage } from '../daemon/status.ts'

export const run = async (
  context: CliContext,
  { all, watch, short, json }: { all?: boolean; watch?: boolean; short?: boolean } & JsonFlag,
): Promise<void> => {
  const { connect, out, now } = context
  if (short) {
    // A prompt must not wait, so this starts no daemon, and says nothing where there is none.
    const agents = await connect({ start: false, timeoutMs: promptLimitMs })
      .ps({})
      .catch(() => [])
    const segment = statusSegment(agents)
    if (json) out.document(countStates(agents))
    else if (segment !== '') out.line(segment)
    return
  }
  if (watch) return (await import('../tui/top/watch-table.ts')).watchTable(context, { all, json })
  const client = connect()
  const agents = await client.ps({ all })
  noteDamage(await client.status().catch(() => ({})), out)
  await noteBrokenSettings(context)
  if (json) out.document(agents)
  else out.line(agentTable(agents, now(), placeOf(context)))
}

const promptLimitMs = 1_000
