import type { ChannelsView, ChannelView } from '../../contract/routes/channels.ts'
import { collectLines, counted, formatTable, joinLines, shorten } from '../format.ts'

const header = ['CHANNEL', 'WAYS', 'GOES TO', 'HELD', 'WAITING', 'DEAD', 'REFUSED', 'NOTES']
const noteLimit = 60

export const channelsText = ({ channels, unused, fallback }: ChannelsView, columns?: number): string => {
  const rows = channels.map(({ name, ways, isKept, route, held, reason, pending, dead, refused, ...channel }) => {
    const notes = collectLines(
      channel.refusal !== null && `last refused: ${channel.refusal}`,
      channel.isHuman && 'human',
      channel.senders !== null && `only from ${channel.senders.join(', ')}`,
      channel.signature !== null && `signed: ${channel.signature}`,
      route?.allowsBypass === true && 'bypass allowed',
    )
    return [
      name,
      [...ways, ...(isKept ? ['kept'] : [])].join(' ') || '-',
      route === null ? '-' : routeTarget(route),
      held === 0 ? '-' : `${held} (${reason})`,
      ...[pending, dead, refused].map((count) => (count === 0 ? '-' : String(count))),
      shorten(notes.join('; '), noteLimit),
    ]
  })
  return joinLines(
    rows.length === 0 ? 'No channels. Make one: rein channel create builds' : formatTable(header, rows, { columns }),
    fallback === null
      ? 'No default route: a message without a route goes to the only running agent, or is held.'
      : `Default: ${routeTarget(fallback)}.`,
    unused.map(
      ({ file, reason, refused }) =>
        `Not used: ${file}${refused === 0 ? '' : `, ${counted(refused, 'line')} refused`}. ${reason}`,
    ),
  )
}

/** A target as commands name it. */
export const routeTarget = ({ handle, room }: NonNullable<ChannelView['route']>): string => handle ?? `room:${room}`
