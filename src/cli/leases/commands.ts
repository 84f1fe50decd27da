import { buildRouteMap } from '@stricli/core'
import { longestLeaseMs } from '../../contract/lease-limits.ts'
import { command } from '../command.ts'
import { parseDuration } from '../format.ts'
import { argument, flag, tuple } from '../parameters.ts'

const ttl = flag.parsed('TIME', 'For how long, like 90s, 10m or 2h, up to 24h [default: 30m]', (text) => {
  const ms = parseDuration(text)
  if (ms <= longestLeaseMs) return ms
  throw new SyntaxError('24h is the most: renew it in time')
})

const lease = buildRouteMap({
  docs: { brief: 'Reserve files, so that other agents do not change them' },
  routes: {
    take: command({
      brief: 'Take files; one’s own again are renewed',
      more: 'While somebody holds them exclusively, changes by other agents are denied, and they are told who holds them and until when. Exit code 5 if somebody else has them.',
      examples: [
        "rein lease take 'src/parser/**' --why 'the new grammar' --ttl 1h",
        'rein lease take docs --shared --wait',
      ],
      flags: {
        exclusive: flag.yes('Nobody else changes them (this is usual)'),
        shared: flag.yes('Nobody takes them exclusively; others may change them, too'),
        ttl,
        why: flag.text('TEXT', 'What for, in a few words'),
        wait: flag.yes('Wait until they are free'),
      },
      args: tuple(argument.leaseGlob),
      load: () => import('./take.ts'),
    }),
    renew: command({
      brief: 'Hold them longer, from now on',
      examples: ["rein lease renew 'src/parser/**' --ttl 2h", 'rein lease renew lease_0197a3f2-…'],
      flags: { ttl },
      args: tuple(argument.lease),
      load: () => import('./renew.ts'),
    }),
    release: command({
      brief: 'Give them back',
      more: 'You may release anybody’s: it is taken away. An agent releases its own.',
      examples: ["rein lease release 'src/parser/**'", 'rein lease release lease_0197a3f2-…'],
      args: tuple(argument.lease),
      load: () => import('./release.ts'),
    }),
    list: command({
      brief: 'List who holds which files of this project',
      examples: ['rein lease list', 'rein lease list src --all'],
      flags: { all: flag.yes('Also those that have ended') },
      args: tuple(argument.leaseGlobOrAll),
      load: () => import('./list.ts'),
    }),
  },
})

export const leases = { lease }
