import type { ChannelsView, ChannelView } from '../contract/api-types.ts'
import { formatTable, shorten } from './format.ts'

const header = ['CHANNEL', 'WAYS', 'GOES TO', 'HELD', 'WAITING', 'DEAD', 'NOTES']
const noteLimit = 60

export const channelsText = ({ channels, fallback }: ChannelsView): string => {
  const others =
    fallback === null ? 'No default: messages without a route are held.' : `Default: ${routeTarget(fallback)}.`
  if (channels.length === 0) return `No channels. Make one: rein channel create <name>\n${others}`
  return `${formatTable(header, channels.map(row))}\n${others}`
}

/** As it is named in commands. */
export const routeTarget = ({ handle, room }: NonNullable<ChannelView['route']>): string => handle ?? `room:${room}`

const row = (channel: ChannelView): string[] => {
  const { name, ways, isKept, route, held, reason, pending, dead } = channel
  return [
    name,
    [...ways, ...(isKept ? ['kept'] : [])].join(' ') || '-',
    route === null ? '-' : routeTarget(route),
    held === 0 ? '-' : `${held} (${reason})`,
    count(pending),
    count(dead),
    shorten(notes(channel), noteLimit),
  ]
}

const count = (number: number): string => (number === 0 ? '-' : String(number))

const notes = ({ isHuman, senders, signature, route }: ChannelView): string =>
  [
    ...(isHuman ? ['human'] : []),
    ...(senders === null ? [] : [`only from ${senders.join(', ')}`]),
    ...(signature === null ? [] : [`signed: ${signature}`]),
    ...(route?.allowsBypass === true ? ['bypass allowed'] : []),
  ].join('; ')
