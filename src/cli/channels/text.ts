import type { ChannelsView, ChannelView } from '../../contract/routes/channels.ts'
import { formatTable, shorten } from '../format.ts'

const header = ['CHANNEL', 'WAYS', 'GOES TO', 'HELD', 'WAITING', 'DEAD', 'REFUSED', 'NOTES']
const noteLimit = 60

export const channelsText = ({ channels, unused, fallback }: ChannelsView): string => {
  const others =
    fallback === null
      ? 'No default: messages without a route go to the agent that runs alone, else they are held.'
      : `Default: ${routeTarget(fallback)}.`
  const table =
    channels.length === 0
      ? 'No channels. Make one: rein channel create <name>'
      : formatTable(
          header,
          channels.map((channel) => {
            const { name, ways, isKept, route, held, reason, pending, dead, refused } = channel
            return [
              name,
              [...ways, ...(isKept ? ['kept'] : [])].join(' ') || '-',
              route === null ? '-' : routeTarget(route),
              held === 0 ? '-' : `${held} (${reason})`,
              count(pending),
              count(dead),
              count(refused),
              shorten(
                [
                  ...(channel.refusal === null ? [] : [`last refused: ${channel.refusal}`]),
                  ...(channel.isHuman ? ['human'] : []),
                  ...(channel.senders === null ? [] : [`only from ${channel.senders.join(', ')}`]),
                  ...(channel.signature === null ? [] : [`signed: ${channel.signature}`]),
                  ...(route?.allowsBypass === true ? ['bypass allowed'] : []),
                ].join('; '),
                noteLimit,
              ),
            ]
          }),
        )
  return [
    table,
    others,
    ...unused.map(
      ({ file, reason, refused }) =>
        `Not used: ${file}${refused === 0 ? '' : `, ${refused} ${refused === 1 ? 'line' : 'lines'} refused`}. ${reason}`,
    ),
  ].join('\n')
}

/** As it is named in commands. */
export const routeTarget = ({ handle, room }: NonNullable<ChannelView['route']>): string => handle ?? `room:${room}`

const count = (number: number): string => (number === 0 ? '-' : String(number))
