import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { flag } from '../parameters.ts'

export const service = {
  service: buildRouteMap({
    docs: { brief: 'Keep the daemon up, and bring agents back after a reboot' },
    routes: {
      install: command({
        brief: 'Install a service of your own user (systemd, launchd)',
        more: 'Runs the daemon, restarts it after a crash, and runs `rein up --all` when the machine starts. Exit code 1 if the service manager cannot be reached: the file is written, and the remaining steps are shown.',
        examples: ['rein service install', 'rein service install --dry-run'],
        flags: { dryRun: flag.yes('Only show the file') },
        load: () => import('./install.ts'),
      }),
      remove: command({
        brief: 'Remove the service',
        more: 'Agents keep running; the next command starts a daemon.',
        examples: ['rein service remove', 'rein service remove --json'],
        load: () => import('./remove.ts'),
      }),
      status: command({
        brief: 'Say whether the service is installed and runs',
        examples: ['rein service status', 'rein service status --json'],
        load: () => import('./status.ts'),
      }),
    },
  }),
}
