import type { KnownChannel } from './brief.ts'
import { splitRoomKey } from '../../contract/team.ts'
import type { ChannelParts } from './parts.ts'

/** Channels as one agent sees them. */
export const knownChannels = ({ channels, sender, fifos }: ChannelParts, agent: string): KnownChannel[] => {
  const ways = sender.ways
  const names = new Set([...channels.all.map(({ name }) => name), ...ways, ...fifos.inputs.names()])
  return [...names].toSorted().map((name) => {
    const route = channels.routeOf(name)
    return {
      name,
      isHuman: channels.get(name)?.isHuman ?? false,
      isMine: channels.leadsTo(name, agent),
      room: route !== null && 'room' in route ? splitRoomKey(route.room).name : null,
      canSend: ways.includes(name),
    }
  })
}
