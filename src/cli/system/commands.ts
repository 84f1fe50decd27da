import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { parseCount } from '../format.ts'
import { argument, flag, positional, shells, tuple } from '../parameters.ts'

const daemon = buildRouteMap({
  docs: { brief: 'Look after the daemon' },
  routes: {
    start: command({
      brief: 'Start the daemon',
      more: 'Commands that need it start it by themselves.',
      example: 'rein daemon start --foreground',
      flags: { foreground: flag.yes('Run it here, with its log on the screen, until Ctrl-C') },
      load: () => import('../daemon/start.ts'),
    }),
    stop: command({
      brief: 'Stop the daemon',
      more: 'Agents go on; the next daemon takes them over. One that does not answer is killed, which loses nothing.',
      example: 'rein daemon stop',
      load: () => import('../daemon/stop.ts'),
    }),
    status: command({
      brief: 'Say whether the daemon runs',
      example: 'rein daemon status',
      load: () => import('../daemon/status.ts'),
    }),
    logs: command({
      brief: "Show the daemon's log",
      more: 'With --json: one entry a line, as it is in the file.',
      example: 'rein daemon logs -n 20 --follow',
      flags: {
        lines: flag.parsed('N', 'How many entries from the end [default: 50]', parseCount),
        follow: flag.yes('Go on until Ctrl-C'),
      },
      aliases: { n: 'lines', f: 'follow' },
      load: () => import('../daemon/logs.ts'),
    }),
    rebuild: command({
      brief: 'Make the current state again from the log',
      example: 'rein daemon rebuild',
      load: () => import('../daemon/rebuild.ts'),
    }),
    repair: command({
      brief: 'Repair a damaged database, while no daemon runs',
      more: 'Shows what is damaged, and asks. What can be read goes into a new database, the daily copy gives what is missing, and the damaged file is kept. With --dry-run the exit code is 1 if something is damaged.',
      example: 'rein daemon repair --dry-run',
      flags: {
        dryRun: flag.yes('Only show what is damaged and what can be had'),
        fresh: flag.yes('Begin anew, without any of it; what is there is kept aside, its copies, too'),
        yes: flag.yes('Do not ask'),
      },
      load: () => import('../daemon/repair.ts'),
    }),
  },
})

const config = buildRouteMap({
  docs: { brief: 'Show and change settings' },
  routes: {
    list: command({
      brief: 'List all settings: value and where it comes from',
      example: 'rein config list',
      load: () => import('../config/list.ts'),
    }),
    get: command({
      brief: 'Print one setting',
      example: 'rein config get agents.driver',
      args: tuple(argument.setting),
      load: () => import('../config/get.ts'),
    }),
    set: command({
      brief: 'Change one setting in your configuration file',
      example: 'rein config set inbox.ack_deadline_s 300',
      args: tuple(argument.setting, argument.value),
      load: () => import('../config/set.ts'),
    }),
  },
})

const onceFlag = flag.yes('End by itself, as it does without a terminal')

const demo = buildRouteMap({
  docs: { brief: 'See Rein at work, without an account' },
  defaultCommand: 'tell',
  routes: {
    tell: command({
      brief: 'See how an agent is told something, and that it arrives',
      more: '`tell` may be left out.',
      example: 'rein demo --once',
      flags: { once: onceFlag },
      load: () => import('../demo/tell.ts'),
    }),
    team: command({
      brief: 'See a team at work: a task is split, a lease holds, an agent is killed and comes back',
      more: 'With Claude Code and, if it is installed, Codex.',
      example: 'rein demo team --once',
      flags: { once: onceFlag, html: flag.text('FILE', 'Keep the story of it as a page') },
      load: () => import('../demo/team.ts'),
    }),
  },
})

export const system = {
  daemon,
  config,
  paths: command({
    brief: 'Say where Rein keeps its files',
    example: 'rein paths runtime',
    args: tuple(argument.pathName),
    load: () => import('./paths.ts'),
  }),
  doctor: command({
    brief: 'Check this machine and what its agent CLIs can do',
    more: 'It starts each CLI that it finds and ends it at its first hook call, so no model is asked. Exit code 1 if something needs your attention.',
    example: 'rein doctor --quick',
    flags: { quick: flag.yes('Start no CLI to see whether its hooks fire') },
    load: () => import('./doctor.ts'),
  }),
  mcp: command({
    brief: 'Serve MCP on standard input and output',
    more: 'For agent CLIs that start their MCP servers themselves; the daemon answers.',
    example: 'claude mcp add rein -- rein mcp',
    load: () => import('./mcp.ts'),
  }),
  demo,
  completions: command({
    brief: 'Print the completion script for a shell',
    example: 'source <(rein completions bash)',
    args: tuple({ ...positional('shell', shells.join(', ')), proposeCompletions: () => shells }),
    load: () => import('./completions.ts'),
  }),
}
