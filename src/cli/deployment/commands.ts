import { command } from '../command.ts'
import { flag } from '../parameters.ts'

const selection = {
  cli: flag.repeated('NAME', 'Only this agent CLI; may be repeated [default: all]'),
  global: flag.yes('For everything you do, not only for this directory'),
  dryRun: flag.yes('Only show what would change'),
} as const

export const deployment = {
  setup: command({
    brief: 'Connect agents that you start by hand',
    more: 'Puts hooks, skills, instructions and the MCP server where the installed agent CLIs read them, for this directory. What is yours in these files stays. Where it was set up before, it is brought up to date; the daemon does that by itself when it starts. Exit code 5 if a file was refused.',
    examples: ['rein setup --cli claude --dry-run', 'rein setup --global'],
    next: ['rein doctor', 'rein ps', 'rein cleanup'],
    flags: {
      ...selection,
      shared: flag.yes('Into files that others get with the repository, where the CLI has others too'),
    },
    load: () => import('./setup.ts'),
  }),
  cleanup: command({
    brief: 'Remove what `rein setup` installed',
    more: 'A file that nobody edited since gets its original bytes back; from another one only what is of Rein is taken out.',
    examples: ['rein cleanup --global', 'rein cleanup --cli claude --dry-run'],
    next: ['rein doctor --quick'],
    flags: selection,
    load: () => import('./cleanup.ts'),
  }),
}
