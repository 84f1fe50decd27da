import type { KnownChannel } from './brief.ts'
import type { Route } from '../../contract/channel.ts'
import { splitRoomKey } from '../../contract/team.ts'
import type { ChannelParts } from './parts.ts'

/** Channels as one agent sees them. */
export const knownChannels = ({ channels, sender, fifos }: ChannelParts, agent: string): KnownChannel[] => {
  const ways = sender.ways
  const names = new Set([...channels.all.map(({ name }) => name), ...ways, ...fifos.inputs.names()])
  return [...names].toSorted().map((name) => ({
    name,
    isHuman: channels.get(name)?.isHuman ?? false,
    isMine: channels.leadsTo(name, agent),
    room: roomName(channels.routeOf(name)),
    canSend: ways.includes(name),
  }))
}

const roomName = (route: Route | null): string | null =>
  route !== null && 'room' in route ? splitRoomKey(route.room).name : null
