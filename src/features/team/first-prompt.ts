import type { Room } from '../../contract/team.ts'

/** More than these are only counted. */
const listedRooms = 10

/** The first prompt of a team's agent without a task. Only names of rooms: anyone may have written their descriptions. */
export const firstPrompt = (handle: string, rooms: readonly Pick<Room, 'name'>[]): string => {
  const listed = rooms.slice(0, listedRooms).map(({ name }) => name)
  const more = rooms.length > listedRooms ? ` and ${rooms.length - listedRooms} more` : ''
  return [
    `You are ${handle}, an agent of a team. Your team talks in ${rooms.length === 1 ? 'the room' : 'the rooms'} ${listed.join(', ')}${more}.`,
    'The skill rein-team says how: use it now, read what there is (rein chat read ROOM --limit 20), and say in the room that you are there and what you can do.',
    'Then stop. You are told when there is something for you.',
  ].join('\n')
}
