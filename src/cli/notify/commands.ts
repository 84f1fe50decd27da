import { buildRouteMap } from '@stricli/core'
import { noticeEvents } from '../../contract/notice-events.ts'
import { command } from '../command.ts'
import { flag } from '../parameters.ts'

export const notify = {
  notify: buildRouteMap({
    docs: { brief: 'Be told when an agent asks you, is done, crashed or is limited' },
    routes: {
      on: command({
        brief: 'Notify you of what agents need you for',
        more: 'On your desktop, by what this system has, or by a command of yours, which gets the notice as JSON on its standard input. Also rings the terminal in which rein top runs. It goes on until rein notify off, also after a restart of the daemon.',
        example: 'rein notify on --event asks --event crashed',
        rest: '[-- COMMAND…]',
        flags: {
          event: { ...flag.oneOf(noticeEvents, 'Only of this; may be repeated [default: all]'), variadic: true },
          details: flag.yes('Show what is asked, too, also on a locked screen'),
        },
        load: () => import('./on.ts'),
      }),
      off: command({
        brief: 'Stop notifying you',
        example: 'rein notify off',
        load: () => import('./off.ts'),
      }),
      status: command({
        brief: 'Show whether and how you are notified',
        example: 'rein notify status',
        load: () => import('./status.ts'),
      }),
      test: command({
        brief: 'Send one notification, and say whether it was shown',
        example: 'rein notify test',
        load: () => import('./test.ts'),
      }),
    },
  }),
}
