import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { parseCount, parseDuration } from '../format.ts'
import { argument, flag, tuple } from '../parameters.ts'

const limit = flag.parsed('N', 'At most so many', parseCount)
const since = flag.moment('Only what was posted since: 2h, or 2026-01-31T09:30')

const talking = {
  open: command({
    brief: 'Talk in the rooms of this project',
    more: '`open` may be left out. Rooms, what is unread and what is said, as it comes; /help shows the keys. Without a terminal: the list of rooms. With --json: all rooms, and with a room what is new in it, one object a line at each change.',
    example: 'rein chat',
    args: tuple(argument.chatRoom),
    load: () => import('./open.ts'),
  }),
  send: command({
    brief: 'Say something in a room',
    more: '@handle wakes that agent, @handle! turns it at once, @handle? only asks Rein how it is, @all means everybody.\nText that begins with a dash goes after --.',
    example: "rein chat send general '@worker-2 the API is ready'",
    args: tuple(argument.room, argument.text),
    load: () => import('./send.ts'),
  }),
  read: command({
    brief: 'Read what was said in a room',
    more: 'Only --unread makes messages read, once they are printed.',
    example: 'rein chat read general --unread',
    flags: {
      unread: flag.yes('What you have not read, the oldest first'),
      peek: flag.yes('Leave it unread'),
      after: flag.parsed('N', 'Only what came after message #N', parseCount),
      since,
      limit: flag.parsed('N', 'At most so many: the newest, or with --unread or --after the oldest [default: 50]', parseCount),
    },
    aliases: { u: 'unread', n: 'limit' },
    args: tuple(argument.room),
    load: () => import('./read.ts'),
  }),
  search: command({
    brief: 'Find messages in a room',
    example: "rein chat search general 'staging database'",
    flags: { limit },
    aliases: { n: 'limit' },
    args: tuple(argument.room, argument.searched),
    load: () => import('./search.ts'),
  }),
  export: command({
    brief: 'Print a whole room',
    more: 'All messages that are not archived, one JSON object a line. With --output they go to a file.',
    example: 'rein chat export general -o general.ndjson',
    flags: {
      output: flag.text('FILE', 'Write to this file'),
      format: flag.oneOf(['ndjson', 'text'], 'As JSON, or to be read [default: ndjson]'),
    },
    aliases: { o: 'output' },
    args: tuple(argument.room),
    load: () => import('./export.ts'),
  }),
}

const looking = {
  create: command({
    brief: 'Make a room',
    more: 'All agents of this project are its members, and so are you.',
    example: "rein chat create general --about 'Who does what'",
    flags: { about: flag.text('TEXT', 'What it is for') },
    args: tuple(argument.room),
    load: () => import('./create.ts'),
  }),
  members: command({
    brief: 'List who is in a room, and how far each has read',
    example: 'rein chat members general',
    args: tuple(argument.room),
    load: () => import('./members.ts'),
  }),
  list: command({
    brief: 'List rooms, and what is unread in them',
    example: 'rein chat list',
    flags: { all: flag.yes('Of all projects') },
    aliases: { a: 'all' },
    load: () => import('./list.ts'),
  }),
  archive: command({
    brief: 'Move old messages of a room to a file',
    more: 'Numbers stay what they are, and everybody has read as far as before.',
    example: 'rein chat archive general --keep 1000',
    flags: { keep: { kind: 'parsed', placeholder: 'N', brief: 'How many of the newest stay', parse: parseCount } },
    args: tuple(argument.room),
    load: () => import('./archive.ts'),
  }),
  pause: command({
    brief: 'Let nobody be asked to check in',
    more: 'Messages go on as before.',
    example: 'rein chat pause general --for 2h',
    flags: { for: flag.parsed('2h', 'Only that long: 90s, 10m, 2h, 1d', parseDuration) },
    args: tuple(argument.room),
    load: () => import('./pause.ts'),
  }),
  resume: command({
    brief: 'Ask for check-ins again',
    example: 'rein chat resume general',
    args: tuple(argument.room),
    load: () => import('./resume.ts'),
  }),
}

export const chat = buildRouteMap({
  docs: { brief: 'Talk with the agents of this project, and let them talk to each other' },
  defaultCommand: 'open',
  routes: { ...talking, ...looking },
})
