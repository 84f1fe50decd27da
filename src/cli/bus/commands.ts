import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import type { CliContext } from '../context.ts'
import { parseCount, parseMoment, parseSize } from '../format.ts'
import { argument, eventPriorities, flag, subject, tuple, words } from '../parameters.ts'

/** Up to a time that is taken as its age in milliseconds: a daemon has a clock of its own. */
const until = {
  ...flag.moment('Only those published until: 7d, or 2026-01-31T09:30'),
  parse(this: CliContext, input: string): number {
    const now = this.now()
    return Math.max(0, now - parseMoment(input, now))
  },
}

export const bus = buildRouteMap({
  docs: { brief: 'Publish events to agents, and see that they are handled' },
  routes: {
    publish: command({
      brief: 'Publish an event',
      more: 'Goes to all agents of this project that watch its type, and each acknowledges it; with --once only the first agent that takes it.',
      examples: [
        "rein bus publish task-complete 'The parser is done' --to worker-2",
        'rein bus publish build-failed --once',
      ],
      flags: {
        priority: flag.oneOf(eventPriorities, "How urgent it is [default: its type's]"),
        key: flag.text('KEY', 'An event with the same key, within bus.dedup_window_s, is the same event'),
        to: flag.text('HANDLE', 'Only for this agent; all means all agents that watch [default: all]'),
        once: flag.yes('One agent handles it, then it is done'),
      },
      args: tuple(argument.eventType, argument.payload),
      load: () => import('./publish.ts'),
    }),
    check: command({
      brief: 'List events that are open',
      more: 'Most urgent first. Listing does not take an event. An agent sees its own; you see all of this project.',
      examples: ['rein bus check', 'rein bus check --json'],
      load: () => import('./check.ts'),
    }),
    read: command({
      brief: 'Read events in full',
      more: 'Most urgent first. An agent that reads a --once event takes it.',
      examples: ['rein bus read --type task-blocked', 'rein bus read --all -n 20'],
      flags: {
        type: flag.text('TYPE', 'Only of this kind'),
        all: flag.yes('Also show finished ones'),
        limit: flag.parsed('N', 'Show at most N', parseCount),
      },
      args: tuple(argument.eventOrAll),
      load: () => import('./read.ts'),
    }),
    ack: command({
      brief: 'Acknowledge events',
      more: 'An agent confirms that it has handled them; you may confirm for all agents.',
      examples: ['rein bus ack --all', 'rein bus ack evt_0197a3f2-…'],
      flags: { all: flag.yes('All that are open') },
      args: words(argument.event),
      load: () => import('./ack.ts'),
    }),
    status: command({
      brief: 'Count open events, by agent',
      examples: ['rein bus status', 'rein bus status --json'],
      load: () => import('./status.ts'),
    }),
    prune: command({
      brief: 'Delete finished events',
      more: 'Open ones stay. Rein does this by itself, by the settings bus.…',
      examples: ['rein bus prune --until 7d', 'rein bus prune --keep-bytes 1MiB'],
      flags: {
        until,
        keepBytes: flag.parsed('64KiB', 'The oldest first, until the rest holds at most this much', parseSize),
      },
      load: () => import('./prune.ts'),
    }),
    watch: command({
      brief: 'Set or show what an agent is notified about',
      more: 'Subjects are room:NAME, bus:TYPE and hub:NAME (.rein/team.toml), each with * for any. An agent that gives no handle means itself.',
      examples: ["rein bus watch worker-1 room:general 'bus:task-*'", 'rein bus watch worker-1 --drop room:general'],
      flags: {
        add: flag.repeated('SUBJECT', 'This one, too; may be repeated', subject),
        drop: flag.repeated('SUBJECT', 'This one no longer; may be repeated', subject),
      },
      args: words(argument.watched),
      load: () => import('./watch.ts'),
    }),
    control: command({
      brief: "Write a line to an agent's control topic, or show what was written",
      more: 'register SUBJECT, unregister SUBJECT, set-interval SECONDS, or a # comment. An agent that gives no handle means itself.',
      examples: ["rein bus control 'register room:general' --agent worker-1", 'rein bus control --agent worker-1'],
      flags: { agent: flag.text('HANDLE', 'The agent') },
      args: tuple(argument.controlLine),
      load: () => import('./control.ts'),
    }),
  },
})
