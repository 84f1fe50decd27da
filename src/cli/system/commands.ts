import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { parseCount } from '../format.ts'
import { argument, flag, positional, shells, tuple } from '../parameters.ts'

const daemon = buildRouteMap({
  docs: { brief: 'Start, stop and inspect the daemon' },
  routes: {
    start: command({
      brief: 'Start the daemon',
      more: 'Commands that need it start it by themselves.',
      examples: ['rein daemon start --foreground', 'rein daemon start'],
      flags: { foreground: flag.yes('Run it here, with its log on the screen, until Ctrl-C') },
      load: () => import('../daemon/start.ts'),
    }),
    stop: command({
      brief: 'Stop the daemon',
      more: 'Agents keep running; the next daemon takes them over. A daemon that does not answer is killed, which loses nothing.',
      examples: ['rein daemon stop', 'rein daemon stop --json'],
      load: () => import('../daemon/stop.ts'),
    }),
    status: command({
      brief: 'Show whether the daemon runs',
      examples: ['rein daemon status', 'rein daemon status --json'],
      load: () => import('../daemon/status.ts'),
    }),
    logs: command({
      brief: "Show the daemon's log",
      more: 'With --json: one entry a line, as it is in the file.',
      examples: ['rein daemon logs -n 20 --follow', 'rein daemon logs --json'],
      flags: {
        limit: flag.parsed('N', 'How many entries from the end [default: 50]', parseCount),
        follow: flag.yes('Keep running until Ctrl-C'),
      },
      load: () => import('../daemon/logs.ts'),
    }),
    rebuild: command({
      brief: 'Rebuild the current state from the log',
      examples: ['rein daemon rebuild', 'rein daemon rebuild --json'],
      load: () => import('../daemon/rebuild.ts'),
    }),
    repair: command({
      brief: 'Repair a damaged database, while no daemon runs',
      more: 'Shows the damage, and asks. Readable records go into a new database, the daily copy supplies missing ones, and the damaged file is kept. With --dry-run the exit code is 1 if something is damaged.',
      examples: ['rein daemon repair --dry-run', 'rein daemon repair --yes'],
      flags: {
        dryRun: flag.yes('Only show the damage and what can be recovered'),
        fresh: flag.yes('Start with an empty database; the old one and its copies are kept aside'),
        yes: flag.yes('Do not ask'),
      },
      load: () => import('../daemon/repair.ts'),
    }),
  },
})

const config = buildRouteMap({
  docs: {
    brief: 'Show and change settings',
    fullDescription: 'Rein works without any. The ones that people change: rein docs configuration',
  },
  routes: {
    list: command({
      brief: 'List all settings: value and where it comes from',
      examples: ['rein config list', 'rein config list --json'],
      load: () => import('../config/list.ts'),
    }),
    get: command({
      brief: 'Print one setting',
      examples: ['rein config get agents.driver', 'rein config get agents.host'],
      args: tuple(argument.setting),
      load: () => import('../config/get.ts'),
    }),
    set: command({
      brief: 'Change one setting in your configuration file',
      examples: ['rein config set inbox.ack_deadline_s 5m', 'rein config set agents.driver codex'],
      args: tuple(argument.setting, argument.value),
      load: () => import('../config/set.ts'),
    }),
    unset: command({
      brief: 'Take one setting out of your configuration file',
      more: 'Then its default counts again, or what the project or the environment says.',
      examples: ['rein config unset agents.model', 'rein config unset agents.driver --json'],
      args: tuple(argument.setting),
      load: () => import('../config/unset.ts'),
    }),
    paths: command({
      brief: 'Show where Rein keeps its files',
      examples: ['rein config paths runtime', 'rein config paths'],
      args: tuple(argument.pathName),
      load: () => import('../config/paths.ts'),
    }),
  },
})

const onceFlag = flag.yes('End by itself, as it does without a terminal')

const demo = buildRouteMap({
  docs: { brief: 'See Rein at work, without an account' },
  defaultCommand: 'tell',
  routes: {
    tell: command({
      brief: 'Watch a message reach an agent',
      more: '`tell` may be left out.',
      examples: ['rein demo --once', 'rein demo'],
      next: ['rein demo team', 'rein up worker-1'],
      flags: { once: onceFlag },
      load: () => import('../demo/tell.ts'),
    }),
    team: command({
      brief: 'Watch a team split a task, hold a lease, and survive a killed agent',
      more: 'With Claude Code and, if it is installed, Codex.',
      examples: ['rein demo team --once', 'rein demo team --once -o story.html'],
      flags: { once: onceFlag, output: flag.text('FILE', 'Save its story as an HTML page') },
      load: () => import('../demo/team.ts'),
    }),
  },
})

export const system = {
  daemon,
  config,
  doctor: command({
    brief: 'Check whether this machine is ready for agents',
    more: 'One line for each thing: ✓ is fine, ✗ is missing and needed, – is missing and optional. It starts each CLI that it finds and ends it at its first hook call, so no model is asked. Exit code 0 if all is ready, else 1.',
    examples: ['rein doctor --quick', 'rein doctor --json'],
    next: ['rein up worker-1', 'rein config list'],
    flags: {
      quick: flag.yes('Skip starting each CLI to test its hooks'),
      verbose: flag.yes('Also show what each CLI can do'),
    },
    load: () => import('./doctor.ts'),
  }),
  mcp: command({
    brief: 'Serve MCP on standard input and output',
    more: 'For agent CLIs that start their MCP servers themselves; the daemon answers.',
    examples: ['claude mcp add rein -- rein mcp', 'codex mcp add rein -- rein mcp'],
    next: ['rein setup'],
    load: () => import('./mcp.ts'),
  }),
  demo,
  docs: command({
    brief: 'Read the documentation',
    more: 'Without a topic: lists the pages. On a terminal a page is shown by $PAGER [default: less]; elsewhere it is printed as Markdown.',
    examples: ['rein docs', 'rein docs first-agent'],
    next: ['rein help'],
    args: tuple(argument.docsTopic),
    flags: { path: flag.yes('Print only where the page is') },
    load: () => import('./docs.ts'),
  }),
  completions: command({
    brief: 'Print the completion script for a shell',
    examples: ['source <(rein completions bash)', 'rein completions fish > ~/.config/fish/completions/rein.fish'],
    next: ['rein memory shell init bash'],
    args: tuple({ ...positional('shell', shells.join(', ')), proposeCompletions: () => shells }),
    load: () => import('./completions.ts'),
  }),
}
