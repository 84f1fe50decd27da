import { command } from '../command.ts'
import { argument, flag, tuple } from '../parameters.ts'

export const trust = {
  trust: command({
    brief: 'Let a directory run what it brings along',
    more: 'Hooks, MCP servers, plugins and variables in the files of a repository, and its .rein/team.toml, as they are now: what comes later is asked about again. Agents without a terminal are not started in a directory with any of it that is trusted neither here nor by their CLI.',
    example: 'rein trust ../their-project',
    flags: {
      list: flag.yes('Which directories are trusted'),
      revoke: flag.yes('Trust the directory no more'),
      yes: flag.yes('Do not ask'),
    },
    args: tuple(argument.directory),
    load: () => import('./handler.ts'),
  }),
}
