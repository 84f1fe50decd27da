import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { parseCount } from '../format.ts'
import { argument, channelName, flag, tuple } from '../parameters.ts'

const bypass = flag.yes('Also if the agent runs tools without asking: outside text can then make it do anything')

const channel = buildRouteMap({
  docs: { brief: 'Connect agents with the outside: FIFOs, HTTP, Telegram' },
  routes: {
    list: command({
      brief: 'List channels',
      more: 'With the agent or room that gets their messages, held messages with the reason, and waiting outgoing ones.',
      examples: ['rein channel list', 'rein channel list --json'],
      load: () => import('./list.ts'),
    }),
    create: command({
      brief: 'Make a channel, or change one',
      more: 'A FIFO in.NAME or out.NAME in the runtime directory (rein config paths) creates a channel by itself; this command sets its options.',
      examples: ['rein channel create phone --human --sender 4711', 'rein channel create ci --keep --anyone'],
      flags: {
        human: flag.yes('A person reads it, gets the questions of its agents and may answer them'),
        keep: flag.yes('Keep outgoing messages until a program has taken them'),
        sender: flag.repeated('NAME', 'Let only this sender in; may be repeated'),
        anyone: flag.yes('Let every sender in'),
      },
      args: tuple(argument.channel),
      load: () => import('./create.ts'),
    }),
    remove: command({
      brief: 'Forget a channel',
      more: 'Its messages stay; its FIFOs are left alone.',
      examples: ['rein channel remove phone', 'rein channel remove phone --json'],
      args: tuple(argument.channel),
      load: () => import('./remove.ts'),
    }),
    route: command({
      brief: "Choose the agent or room that gets a channel's messages",
      more: 'Held messages go there at once, in order of arrival. A room is written room:NAME.',
      examples: ['rein channel route telegram worker-1', 'rein channel route telegram room:general'],
      flags: { none: flag.yes('Nobody'), allowBypass: bypass },
      args: tuple(argument.channel, argument.routeTarget),
      load: () => import('./route.ts'),
    }),
    default: command({
      brief: 'Choose the agent or room for channels without a route',
      examples: ['rein channel default worker-1', 'rein channel default --none'],
      flags: { none: flag.yes('Nobody: such messages are held'), allowBypass: bypass },
      args: tuple(argument.routeTarget),
      load: () => import('./default.ts'),
    }),
    send: command({
      brief: 'Send a message on a channel',
      more: 'The message comes in as if from outside; with --outgoing it goes out as if from an agent.',
      examples: ["rein channel send phone 'The build is broken'", "rein channel send phone 'Done.' --outgoing"],
      flags: {
        from: flag.text('NAME', "The sender's name"),
        key: flag.text('KEY', 'The same key again is the same message'),
        outgoing: flag.yes('Out, not in'),
      },
      args: tuple(argument.channel, argument.text),
      load: () => import('./send.ts'),
    }),
    tail: command({
      brief: 'Show what came in and went out on a channel',
      examples: ['rein channel tail telegram --follow', 'rein channel tail telegram --after 100'],
      flags: {
        after: flag.parsed('SEQ', 'Only messages after this log position', parseCount),
        follow: flag.yes('Keep showing new ones'),
      },
      args: tuple(argument.channel),
      load: () => import('./tail.ts'),
    }),
    dead: command({
      brief: 'List messages that could not be delivered, or try one again',
      examples: ['rein channel dead --retry out_0197a3f2-…', 'rein channel dead phone'],
      flags: { retry: flag.text('ID', 'Try this one again') },
      args: tuple({ ...argument.channel, optional: true } as const),
      load: () => import('./dead.ts'),
    }),
    token: command({
      brief: 'Show how to send messages by HTTP',
      more: 'The token lets messages in on this channel and does nothing else. With --signature, webhooks use a signature instead.',
      examples: ['rein channel token ci --signature github', 'rein channel token ci --renew'],
      flags: {
        renew: flag.yes('Make a new token; the old one is no longer valid'),
        signature: flag.oneOf(['github', 'slack', 'none'], 'How webhooks are signed'),
        secret: flag.text('FILE', 'A file with the secret that they are signed with [default: one is made]'),
      },
      args: tuple(argument.channel),
      load: () => import('./token.ts'),
    }),
  },
})

const adapter = buildRouteMap({
  docs: { brief: 'Run adapters: programs that connect a channel' },
  routes: {
    run: command({
      brief: 'Run an adapter, and keep it running',
      more: 'timer, webhook, watch, telegram or command: docs/adapters.md. Rein restarts it when it ends, also after a restart of the daemon.',
      examples: [
        'rein adapter run telegram --config ~/telegram.toml',
        'rein adapter run timer --config ~/timer.toml --name nightly',
      ],
      flags: {
        config: flag.text('FILE', 'What it does: TOML or JSON'),
        name: flag.parsed('NAME', 'Its name, to run several of one kind [default: its kind]', channelName),
      },
      args: tuple(argument.adapterKind),
      load: () => import('../adapters/run.ts'),
    }),
    list: command({
      brief: 'List adapters',
      examples: ['rein adapter list', 'rein adapter list --json'],
      load: () => import('../adapters/list.ts'),
    }),
    stop: command({
      brief: 'End an adapter for good',
      examples: ['rein adapter stop telegram', 'rein adapter stop nightly'],
      args: tuple(argument.adapter),
      load: () => import('../adapters/stop.ts'),
    }),
  },
})

export const channels = {
  channel,
  adapter,
  follow: command({
    brief: 'Follow the turns of agents',
    more: 'Prints each turn when it has ended, for one agent or all. With --after: first the turns since that position.',
    examples: ['rein follow worker-1 --after 0 --json', 'rein follow'],
    next: ['rein logs worker-1'],
    flags: { after: flag.parsed('SEQ', 'Begin after this sequence number [default: now]', parseCount) },
    args: tuple(argument.handleOrSelf),
    load: () => import('./follow.ts'),
  }),
}
