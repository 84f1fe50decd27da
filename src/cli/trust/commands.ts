import { command } from '../command.ts'
import { argument, flag, tuple } from '../parameters.ts'

export const trust = {
  trust: command({
    brief: 'Trust the hooks and servers that a directory brings along',
    more: 'Hooks, MCP servers, plugins and variables in the files of a repository, and its .rein/team.toml, as they are now: what comes later is asked about again. Agents without a terminal are not started in a directory with any of it that is trusted neither here nor by their CLI.',
    examples: ['rein trust ../their-project', 'rein trust --list'],
    next: ['rein up worker-1', 'rein rules trust'],
    flags: {
      list: flag.yes('Which directories are trusted'),
      revoke: flag.yes('Trust the directory no more'),
      yes: flag.yes('Do not ask'),
    },
    args: tuple(argument.directory),
    load: () => import('./handler.ts'),
  }),
}
