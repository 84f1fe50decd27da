import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { parseCount, parseDuration, parseSeconds } from '../format.ts'
import { argument, flag, priorities, tuple, waitStates } from '../parameters.ts'

const inbox = buildRouteMap({
  docs: { brief: 'List directives, or read one' },
  defaultCommand: 'list',
  routes: {
    list: command({
      brief: 'List directives that are open',
      more: '`list` may be left out. An agent that gives no handle means itself.',
      examples: ['rein inbox worker-1', 'rein inbox --all'],
      flags: { all: flag.yes('Also show ended ones') },
      args: tuple(argument.inboxHandle),
      load: () => import('../inbox/list.ts'),
    }),
    read: command({
      brief: 'Print the text of a directive',
      more: 'Agents use this to read texts that were too long to be shown at once.',
      examples: ['rein inbox read dir_c21d0a7b --part 2', 'rein inbox read dir_c21d0a7b'],
      flags: { part: flag.parsed('N', 'Only this part of a long text', parseCount) },
      args: tuple(argument.directive),
      load: () => import('../inbox/read.ts'),
    }),
  },
})

export const directives = {
  tell: command({
    brief: 'Tell an agent something',
    more: 'Once the id is printed, the directive is stored: the agent gets it at its next opportunity, also after a restart.\nText that begins with a dash goes after --.',
    examples: [
      "rein tell worker-1 'Use the staging database' --wait seen",
      'git diff | rein tell worker-1 --priority high -',
    ],
    next: ['rein inbox worker-1', 'rein logs worker-1'],
    flags: {
      type: flag.text('TYPE', 'directive, guidance, stop, … [default: directive]'),
      priority: flag.oneOf(priorities, 'How urgent it is [default: normal]'),
      from: flag.text('NAME', "The sender's name [default: the user, as agents call you]"),
      expires: flag.parsed('10m', 'Expire if not acknowledged by then: 90s, 10m, 2h, 1d', parseDuration),
      wait: flag.oneOf(waitStates, 'Return when it has reached this step'),
      timeout: flag.parsed('10m', 'How long to wait [default: 10m]', parseSeconds),
    },
    args: tuple(argument.handle, argument.text),
    load: () => import('./tell.ts'),
  }),
  inbox,
  receipt: command({
    brief: 'Show the delivery steps of a directive',
    more: 'Each step with its time. The id may be any part that only one directive begins with.\nWith --follow and --json: the receipt again at each step, one a line.',
    examples: ['rein receipt dir_c21d0a7b --follow', 'rein receipt dir_c21d0a7b --json'],
    next: ['rein logs worker-1', 'rein inbox worker-1'],
    flags: {
      follow: flag.yes('Keep running until it has ended'),
      verbose: flag.yes('Also show how each step was made, with its evidence'),
    },
    args: tuple(argument.directive),
    load: () => import('./receipt.ts'),
  }),
  ack: command({
    brief: 'Acknowledge a directive',
    more: 'An agent confirms that it has understood and will do it; you may confirm in its place.',
    examples: ["rein ack dir_c21d0a7b --note 'switched to staging'", 'rein ack dir_c21d0a7b'],
    next: ['rein inbox'],
    flags: { note: flag.text('TEXT', 'What to tell the sender') },
    args: tuple(argument.directive),
    load: () => import('./ack.ts'),
  }),
  cancel: command({
    brief: 'Withdraw a directive',
    more: 'It cannot take back text that the agent has already seen.',
    examples: ['rein cancel dir_c21d0a7b', 'rein cancel dir_c21d0a7b --json'],
    next: ['rein inbox'],
    args: tuple(argument.directive),
    load: () => import('./cancel.ts'),
  }),
}
