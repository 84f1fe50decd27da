import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { parseCount, parseDuration } from '../format.ts'
import { argument, flag, tuple } from '../parameters.ts'

const limit = flag.parsed('N', 'Show at most N', parseCount)
const since = flag.moment('Only what was posted since: 2h, or 2026-01-31T09:30')

const talking = {
  open: command({
    brief: 'Talk in the rooms of this project',
    more: '`open` may be left out. Shows rooms, unread messages and new ones as they come; /help lists the keys. Without a terminal: the list of rooms. With --json: all rooms, or the new messages of the given room, one object per line at each change.',
    examples: ['rein chat', 'rein chat general'],
    args: tuple(argument.chatRoom),
    load: () => import('./open.ts'),
  }),
  send: command({
    brief: 'Say something in a room',
    more: '@handle wakes that agent, @handle! is urgent, @handle? only asks Rein for its state, @all means everybody.\nText that begins with a dash goes after --.',
    examples: [
      "rein chat send general '@worker-2 the API is ready'",
      "rein chat send general '@all who takes the parser?'",
    ],
    args: tuple(argument.room, argument.text),
    load: () => import('./send.ts'),
  }),
  read: command({
    brief: 'Read the messages of a room',
    more: 'Only --unread marks messages as read, once they are printed.',
    examples: ['rein chat read general --unread', 'rein chat read general --since 2h -n 20'],
    flags: {
      unread: flag.yes('Unread messages, oldest first'),
      peek: flag.yes('Leave them unread'),
      after: flag.parsed('N', 'Only what came after message #N', parseCount),
      since,
      limit: flag.parsed(
        'N',
        'Show at most N: the newest, or with --unread or --after the oldest [default: 50]',
        parseCount,
      ),
    },
    args: tuple(argument.room),
    load: () => import('./read.ts'),
  }),
  search: command({
    brief: 'Find messages in a room',
    examples: ["rein chat search general 'staging database'", 'rein chat search general API -n 5'],
    flags: { limit },
    args: tuple(argument.room, argument.searched),
    load: () => import('./search.ts'),
  }),
  export: command({
    brief: 'Print a whole room',
    more: 'All messages that are not archived, one JSON object a line. With --output they go to a file.',
    examples: ['rein chat export general -o general.ndjson', 'rein chat export general --format text'],
    flags: {
      output: flag.text('FILE', 'Write to this file'),
      format: flag.oneOf(['ndjson', 'text'], 'As JSON, or to be read [default: ndjson]'),
    },
    args: tuple(argument.room),
    load: () => import('./export.ts'),
  }),
}

const looking = {
  create: command({
    brief: 'Make a room',
    more: 'All agents of this project are its members, and so are you.',
    examples: ["rein chat create general --about 'Who does what'", 'rein chat create build'],
    flags: { about: flag.text('TEXT', 'What it is for') },
    args: tuple(argument.room),
    load: () => import('./create.ts'),
  }),
  members: command({
    brief: 'List the members of a room, and how far each has read',
    examples: ['rein chat members general', 'rein chat members general --json'],
    args: tuple(argument.room),
    load: () => import('./members.ts'),
  }),
  list: command({
    brief: 'List rooms, and what is unread in them',
    examples: ['rein chat list', 'rein chat list --all'],
    flags: { all: flag.yes('From all projects') },
    load: () => import('./list.ts'),
  }),
  archive: command({
    brief: 'Move old messages of a room to a file',
    more: 'Message numbers and read positions stay the same.',
    examples: ['rein chat archive general --keep 1000', 'rein chat archive general --keep 0'],
    flags: {
      keep: { kind: 'parsed', placeholder: 'N', brief: 'Number of newest messages that stay', parse: parseCount },
    },
    args: tuple(argument.room),
    load: () => import('./archive.ts'),
  }),
  pause: command({
    brief: 'Stop check-ins in a room',
    more: 'Messages are not affected.',
    examples: ['rein chat pause general --for 2h', 'rein chat pause general'],
    flags: { for: flag.parsed('2h', 'For this long: 90s, 10m, 2h, 1d', parseDuration) },
    args: tuple(argument.room),
    load: () => import('./pause.ts'),
  }),
  resume: command({
    brief: 'Ask for check-ins again',
    examples: ['rein chat resume general', 'rein chat resume general --json'],
    args: tuple(argument.room),
    load: () => import('./resume.ts'),
  }),
}

export const chat = buildRouteMap({
  docs: { brief: 'Talk with the agents of this project, in rooms' },
  defaultCommand: 'open',
  routes: { ...talking, ...looking },
})
