import { command } from '../command.ts'
import { argument, flag, tuple } from '../parameters.ts'

export const storyCommands = {
  story: command({
    brief: 'Show who did what, when and why, in a task or session',
    more: 'From the log: turns with files, commands and costs, directives, posts, events, decisions, questions, rules, leases, crashes. Long stories are folded.',
    examples: ['rein story parser -o parser.html', 'rein story worker-1 --since 2h'],
    next: ['rein session show worker-1', 'rein task show parser'],
    flags: {
      since: flag.moment('Only what happened since then: 2h, or a date'),
      output: flag.text('FILE', 'Write it as a self-contained HTML page'),
      force: flag.yes('With --output: overwrite a file that is not a story'),
    },
    args: tuple(argument.storied),
    load: () => import('./handler.ts'),
  }),
}
