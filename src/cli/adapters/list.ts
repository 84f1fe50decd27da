import type { CliContext, JsonFlag } from '../context.ts'
import { formatAge, formatTable, shorten } from '../format.ts'

const header = ['NAME', 'KIND', 'STATE', 'SINCE', 'PID', 'RESTARTS', 'CONFIG', 'ERROR']
const errorLimit = 60

export const run = async ({ connect, out, now }: CliContext, { json }: JsonFlag): Promise<void> => {
  const adapters = await connect().adapters()
  if (json) return out.document(adapters)
  const rows = adapters.map(({ name, kind, state, since, pid, restarts, config, error }) => [
    name,
    kind,
    state,
    formatAge(since, now()),
    pid === null ? '-' : String(pid),
    String(restarts),
    config,
    shorten(error?.split('\n').at(-1) ?? '-', errorLimit),
  ])
  out.line(rows.length === 0 ? 'No adapters.' : formatTable(header, rows, out))
}
