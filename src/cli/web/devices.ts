import type { DeviceView } from '../../contract/routes/web.ts'
import { shortId } from '../../contract/ids.ts'
import { formatTable, formatTime, printable } from '../format.ts'
import { showAnswer } from '../show-answer.ts'

export const run = showAnswer(
  ({ connect }, { all = false }: { all?: boolean }) => connect().devices({ all }),
  (devices, { now, out }) => deviceTable(devices, now(), out.columns),
)

export const deviceTable = (devices: readonly DeviceView[], now: number, columns?: number): string => {
  if (devices.length === 0) return 'No device is paired. Open the page: rein web'
  const rows = devices.map(({ id, name, scopes, pairedAt, lastSeenAt, revokedAt, connections }) => [
    printable(name),
    scopes.join(','),
    formatTime(pairedAt, now),
    stateOf({ lastSeenAt, revokedAt, connections }, now),
    shortId(id),
  ])
  return formatTable(['NAME', 'MAY', 'PAIRED', 'SEEN', 'ID'], rows, { columns, optional: ['PAIRED'] })
}

const stateOf = (
  { lastSeenAt, revokedAt, connections }: Pick<DeviceView, 'lastSeenAt' | 'revokedAt' | 'connections'>,
  now: number,
): string => {
  if (revokedAt !== null) return `revoked ${formatTime(revokedAt, now)}`
  if (connections > 0) return 'connected'
  return lastSeenAt === null ? 'never' : formatTime(lastSeenAt, now)
}
