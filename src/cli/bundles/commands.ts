import { command } from '../command.ts'
import { argument, flag, handleName, tuple, turnRange } from '../parameters.ts'

export const bundles = {
  export: command({
    brief: 'Put a session into one file, with its conversation and its files',
    more: 'It continues elsewhere: rein session import. With --redact everything that looks like a secret is taken out, also of the files.',
    examples: [
      'rein session export worker-1 --redact -o work.rein',
      'rein session export worker-1 --turns 2..5 -o part.rein',
    ],
    flags: {
      turns: flag.parsed(
        'A..B',
        'The conversation up to turn B, with the files of the turns from A on [default: all, up to where the agent is]',
        turnRange,
      ),
      redact: flag.yes('Take secrets out'),
      output: { kind: 'parsed', placeholder: 'FILE', brief: 'The file, which must not exist', parse: String },
    },
    aliases: { o: 'output' },
    args: tuple(argument.session),
    load: () => import('./export.ts'),
  }),
  import: command({
    brief: 'Take in a session that was exported elsewhere',
    more: 'Its files are written into a new directory, or into a clone of its repository. A new conversation goes on with a summary; --full takes up the whole one, which trusts whoever made it.',
    examples: [
      'rein session import work.rein --into ../shop-2',
      'rein session import work.rein --full --as worker-2 --up',
    ],
    flags: {
      into: flag.text('DIR', 'Where its files are to be [default: this directory, if it is a clone]'),
      full: flag.yes('The whole conversation, not a summary'),
      as: flag.parsed('HANDLE', 'A name for the agent [default: the one that it had]', handleName),
      yes: flag.yes('Write files that can run or steer something, and into a clone, without asking'),
      up: flag.yes('Start the agent when all is there'),
    },
    args: tuple(argument.bundle),
    load: () => import('./import.ts'),
  }),
  inspect: command({
    brief: 'Look into a bundle, and check it; nothing is written',
    examples: ['rein session inspect work.rein', 'rein session inspect work.rein --json'],
    args: tuple(argument.bundle),
    load: () => import('./inspect.ts'),
  }),
}
