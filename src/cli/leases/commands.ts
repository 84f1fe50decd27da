import { buildRouteMap } from '@stricli/core'
import { longestLeaseMs } from '../../contract/lease-limits.ts'
import { command } from '../command.ts'
import { parseDuration } from '../format.ts'
import { argument, flag, tuple } from '../parameters.ts'

const lasting = flag.parsed('TIME', 'For how long, like 90s, 10m or 2h, up to 24h [default: 30m]', (text) => {
  const ms = parseDuration(text)
  if (ms <= longestLeaseMs) return ms
  throw new SyntaxError('24h is the most: renew it in time')
})

const lease = buildRouteMap({
  docs: { brief: 'Reserve files, so that other agents do not change them' },
  routes: {
    take: command({
      brief: 'Take files; taking your own again renews them',
      more: 'While an agent holds files exclusively, changes by other agents are denied, with the holder and the end of the lease. Exit code 5 if another agent has them.',
      examples: [
        "rein lease take 'src/parser/**' --why 'the new grammar' --for 1h",
        'rein lease take docs --shared --wait',
      ],
      flags: {
        exclusive: flag.yes('Deny changes by others (default)'),
        shared: flag.yes('Allow changes by others, but no exclusive lease'),
        for: lasting,
        why: flag.text('TEXT', 'What for, in a few words'),
        wait: flag.yes('Wait until they are free'),
      },
      args: tuple(argument.leaseGlob),
      load: () => import('./take.ts'),
    }),
    renew: command({
      brief: 'Extend a lease, from now on',
      examples: ["rein lease renew 'src/parser/**' --for 2h", 'rein lease renew lease_0197a3f2-…'],
      flags: { for: lasting },
      args: tuple(argument.lease),
      load: () => import('./renew.ts'),
    }),
    release: command({
      brief: 'End a lease',
      more: 'You may release any lease; an agent may release only its own.',
      examples: ["rein lease release 'src/parser/**'", 'rein lease release lease_0197a3f2-…'],
      args: tuple(argument.lease),
      load: () => import('./release.ts'),
    }),
    list: command({
      brief: 'List who holds which files of this project',
      examples: ['rein lease list', 'rein lease list src --all'],
      flags: { all: flag.yes('Also ended ones') },
      args: tuple(argument.leaseGlobOrAll),
      load: () => import('./list.ts'),
    }),
  },
})

export const leases = { lease }
