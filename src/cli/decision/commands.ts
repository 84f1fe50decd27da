import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { parseCount } from '../format.ts'
import { argument, flag, tuple } from '../parameters.ts'

export const decision = buildRouteMap({
  docs: { brief: 'Log decisions, and look them up' },
  routes: {
    log: command({
      brief: 'Log a decision',
      more: 'After a number of decisions (setting team.checkpoint_decisions) a checkpoint is due: a look at the whole.',
      examples: [
        "rein decision log 'SQLite instead of Postgres: one file, no server'",
        'rein decision log - < decision.md',
      ],
      args: tuple(argument.text),
      load: () => import('./log.ts'),
    }),
    list: command({
      brief: 'List decisions',
      examples: ['rein decision list -n 20', 'rein decision list --search SQLite'],
      flags: {
        limit: flag.parsed('N', 'Only the newest so many [default: 100]', parseCount),
        search: flag.text('TEXT', 'Only those that hold this text'),
      },
      load: () => import('./list.ts'),
    }),
  },
})
