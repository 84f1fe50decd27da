import { buildRouteMap } from '@stricli/core'
import { noticeEvents } from '../../contract/notice-events.ts'
import { command } from '../command.ts'
import { flag } from '../parameters.ts'

export const notify = {
  notify: buildRouteMap({
    docs: {
      brief: 'Be told when an agent asks you, is done, crashed or is limited',
      fullDescription:
        'Notifications are for you. The settings notify.* are about something else: when Rein wakes idle agents.',
    },
    routes: {
      on: command({
        brief: 'Notify you when agents need you',
        more: 'Shows a desktop notification, or runs your command with the notice as JSON on its standard input. Also rings the bell of the terminal in which rein top runs. Stays on until rein notify off, also after a restart of the daemon.',
        examples: ['rein notify on', 'rein notify on --event asks -- ~/bin/tell-my-phone'],
        next: ['rein notify test'],
        rest: '[-- COMMAND…]',
        flags: {
          event: { ...flag.oneOf(noticeEvents, 'Only this kind; may be repeated [default: all]'), variadic: true },
          details: flag.yes('Also show the question itself, even on a locked screen'),
        },
        load: () => import('./on.ts'),
      }),
      off: command({
        brief: 'Stop notifying you',
        examples: ['rein notify off', 'rein notify off --json'],
        load: () => import('./off.ts'),
      }),
      status: command({
        brief: 'Show whether and how you are notified',
        examples: ['rein notify status', 'rein notify status --json'],
        load: () => import('./status.ts'),
      }),
      test: command({
        brief: 'Send one notification, and say whether it was shown',
        examples: ['rein notify test', 'rein notify test --json'],
        load: () => import('./test.ts'),
      }),
    },
  }),
}
