import type { Room } from '../contract/team.ts'

/** What an agent that nobody gave a task begins with, where there is a team. */
export const firstPrompt = (handle: string, rooms: readonly Room[]): string => {
  const names = rooms.map(({ name, about }) => (about === '' ? name : `${name} (${about.replaceAll(/\s+/g, ' ')})`))
  return [
    `You are ${handle}, an agent of a team. Your team talks in ${rooms.length === 1 ? 'the room' : 'the rooms'} ${names.join(', ')}.`,
    'The skill rein-team says how: use it now, read what there is (rein chat read ROOM --last 20), and say in the room that you are there and what you can do.',
    'Then stop. You are told when there is something for you.',
  ].join('\n')
}
