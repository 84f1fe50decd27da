import { command } from '../command.ts'
import { flag } from '../parameters.ts'

const selection = {
  driver: flag.repeated('NAME', 'Only this agent CLI; may be repeated [default: all]'),
  global: flag.yes('For all your directories, not only this one'),
  dryRun: flag.yes('Only show what would change'),
  verbose: flag.yes('Also show every line that changes'),
} as const

export const deployment = {
  setup: command({
    brief: 'Connect agents that you start by hand',
    more: 'Puts hooks, skills, instructions and the MCP server where the installed agent CLIs read them, for this directory. Your own entries in these files stay. An earlier setup is brought up to date; the daemon also does that when it starts. Exit code 5 if a file was refused.',
    examples: ['rein setup --driver claude --dry-run', 'rein setup --global'],
    next: ['rein doctor', 'rein ps', 'rein cleanup'],
    flags: {
      ...selection,
      shared: flag.yes('Use the files that are committed with the repository, where the CLI also has private ones'),
    },
    load: () => import('./setup.ts'),
  }),
  cleanup: command({
    brief: 'Remove what `rein setup` installed',
    more: "A file that was not edited since gets its original bytes back; from an edited one, only Rein's parts are removed.",
    examples: ['rein cleanup --global', 'rein cleanup --driver claude --dry-run'],
    next: ['rein doctor --quick'],
    flags: selection,
    load: () => import('./cleanup.ts'),
  }),
}
