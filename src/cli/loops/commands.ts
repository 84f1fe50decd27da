import { command } from '../command.ts'
import { parseAtLeastOne } from '../format.ts'
import { argument, flag, tuple } from '../parameters.ts'

export const loops = {
  loops: command({
    brief: 'Show where agents went in circles, and what was done about it',
    more: 'Newest first. An agent that does the same again while nothing changes is told so, then a person is asked, then it is stopped: settings loops.… Without a handle: all agents of this project.',
    example: 'rein loops worker-1',
    flags: { limit: flag.parsed('N', 'At most so many [default: 50]', parseAtLeastOne) },
    args: tuple(argument.handleOrAll),
    load: () => import('./list.ts'),
  }),
}
