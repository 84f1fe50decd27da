import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { flag } from '../parameters.ts'

export const service = {
  service: buildRouteMap({
    docs: { brief: 'Keep the daemon up, and bring agents back after a reboot' },
    routes: {
      install: command({
        brief: 'Install a service of your own user (systemd, launchd)',
        more: 'It runs the daemon, starts it again when it crashed, and does `rein up --all` when the machine comes up. Exit code 1 if the service manager could not be reached: the file is written, and what is left to do is shown.',
        examples: ['rein service install', 'rein service install --print'],
        flags: { print: flag.yes('Only print the file') },
        load: () => import('./install.ts'),
      }),
      remove: command({
        brief: 'Take the service away',
        more: 'Agents run on; the next command starts a daemon.',
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
