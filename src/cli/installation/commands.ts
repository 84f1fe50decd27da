import { command } from '../command.ts'
import { flag } from '../parameters.ts'

export const installation = {
  upgrade: command({
    brief: 'Upgrade Rein to the newest version',
    more: 'Shows the installed version and how it was installed. Upgrades one that npm installed and restarts the daemon; agents keep running. For any other, prints the command to type.',
    examples: ['rein upgrade', 'rein upgrade --check'],
    next: ['rein --version', 'rein doctor'],
    flags: { check: flag.yes('Only say what is installed and what is newest') },
    load: () => import('./upgrade.ts'),
  }),
  uninstall: command({
    brief: 'Undo everything Rein did on this machine',
    more: "Shows what it will do, and asks. It ends all agents, takes Rein's hooks, skills and MCP server out of every project, removes the service and stops the daemon. Your data stays without --purge. The program itself is removed by the command that it prints last.",
    examples: ['rein uninstall --dry-run', 'rein uninstall --purge'],
    next: ['npm rm -g rein'],
    flags: {
      purge: flag.yes('Delete the data, too: sessions, snapshots, messages, memory and settings'),
      dryRun: flag.yes('Only show what would be done'),
      yes: flag.yes('Do not ask'),
    },
    load: () => import('./uninstall.ts'),
  }),
}
