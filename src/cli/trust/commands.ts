import { command } from '../command.ts'
import { argument, flag, tuple } from '../parameters.ts'

export const trust = {
  trust: command({
    brief: 'Trust the hooks and servers that a directory brings along',
    more: 'Hooks, MCP servers, plugins and variables in the files of a repository, and its .rein/team.toml, in their present state: later changes need a new yes. In a directory with any of these that is trusted neither here nor by the CLI, Rein starts no agent without a terminal.',
    examples: ['rein trust ../their-project', 'rein trust --list'],
    next: ['rein up worker-1', 'rein rules trust'],
    flags: {
      list: flag.yes('Which directories are trusted'),
      revoke: flag.yes('Stop trusting the directory'),
      yes: flag.yes('Do not ask'),
    },
    args: tuple(argument.directory),
    load: () => import('./handler.ts'),
  }),
}
