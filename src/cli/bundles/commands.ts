import { command } from '../command.ts'
import { argument, flag, handleName, tuple, turnRange } from '../parameters.ts'

export const bundles = {
  export: command({
    brief: 'Put a session into one file, with its conversation and its files',
    more: '`rein session import` continues it elsewhere. --redact removes everything that looks like a secret, also from the files.',
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
      redact: flag.yes('Remove secrets'),
      output: { kind: 'parsed', placeholder: 'FILE', brief: 'The file, which must not exist', parse: String },
    },
    args: tuple(argument.session),
    load: () => import('./export.ts'),
  }),
  import: command({
    brief: 'Import a session that was exported elsewhere',
    more: 'Its files are written into a new directory, or into a clone of its repository. By default, a new conversation continues from a summary; --full takes the whole conversation, so use it only if you trust its author.',
    examples: [
      'rein session import work.rein --into ../shop-2',
      'rein session import work.rein --full --as worker-2 --up',
    ],
    flags: {
      into: flag.text('DIR', 'Directory for its files [default: this directory, if it is a clone]'),
      full: flag.yes('The whole conversation, not a summary'),
      as: flag.parsed('HANDLE', 'A name for the agent [default: the one that it had]', handleName),
      yes: flag.yes('Do not ask before writing files that can run or steer a program, or before writing into a clone'),
      up: flag.yes('Start the agent after the import'),
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
