import { buildRouteMap } from '@stricli/core'
import { command } from '../../command.ts'
import { parseUpTo } from '../../format.ts'
import { flag, positional, propose, tuple, words } from '../../parameters.ts'

/** Any other second argument is probably a title without quotes. */
const input = {
  ...positional('-', 'Reads the text from standard input: markdown, best with sections Problem, Fix and Verification'),
  parse: (given: string): '-' => {
    if (given === '-') return given
    throw new Error('only - may follow the title, which needs quotes if it has several words')
  },
  optional: true as const,
}
const name = { ...positional('name', 'The note: its file without .md'), proposeCompletions: propose('notes') }
const proposal = { ...positional('name', 'The proposed note: its name'), proposeCompletions: propose('proposals') }

const decided = 'Only a person may do this.'

const looking = {
  list: command({
    brief: 'List the notes of this project',
    more: 'They are the markdown files of .rein/notes, in the nearest directory above that has it, within the git work tree.',
    examples: ['rein memory note list', 'rein memory note list --json'],
    load: () => import('./list.ts'),
  }),
  search: command({
    brief: 'Find notes by their words, best first',
    more: 'With the score of each (BM25). A star marks notes that fit well enough for an agent to be told about.',
    examples: ["rein memory note search 'port is already allocated'", 'rein memory note search flaky test -n 3'],
    flags: { limit: flag.parsed('N', 'Show at most N [default: 10]', parseUpTo(100)) },
    args: words(positional('words', 'A question, or what a failed command printed')),
    load: () => import('./search.ts'),
  }),
  show: command({
    brief: 'Show a note',
    examples: ['rein memory note show postgres-port', 'rein memory note show postgres-port --json'],
    args: tuple(name),
    load: () => import('./show.ts'),
  }),
}

const deciding = {
  proposed: command({
    brief: 'List the notes that agents propose',
    more: `No agent sees them before you accept them. ${decided}`,
    examples: ['rein memory note proposed', 'rein memory note proposed --json'],
    load: () => import('./proposed.ts'),
  }),
  accept: command({
    brief: 'Write a proposed note into the project',
    more: `From then on agents may be told about it. ${decided}`,
    examples: ['rein memory note accept postgres-port', 'rein memory note accept postgres-port --json'],
    args: tuple(proposal),
    load: () => import('./accept.ts'),
  }),
  reject: command({
    brief: 'Discard a proposed note',
    more: decided,
    examples: ['rein memory note reject postgres-port', 'rein memory note reject postgres-port --json'],
    args: tuple(proposal),
    load: () => import('./reject.ts'),
  }),
}

export const notes = {
  note: buildRouteMap({
    docs: { brief: 'Write down what was learnt, and find it again: .rein/notes' },
    routes: {
      add: command({
        brief: 'Write a note: a problem, its fix, and how that was verified',
        more: 'Writes a new file in .rein/notes and never overwrites one; secrets are removed. A note by an agent is only proposed: see `rein memory note proposed`.',
        examples: [
          "rein memory note add 'Port 5432 is taken' --problem 'A local postgres runs' --fix 'Set PGPORT=5433'",
          "rein memory note add 'Tests hang on Node 22' --edit",
        ],
        flags: {
          problem: flag.text('TEXT', 'What happens, and why'),
          fix: flag.text('TEXT', 'What to do'),
          verify: flag.text('TEXT', 'How to check that the fix worked'),
          edit: flag.yes('Write it in your editor ($VISUAL or $EDITOR)'),
        },
        args: tuple(positional('title', 'The problem in one line, with the words that its error has'), input),
        load: () => import('./add.ts'),
      }),
      ...looking,
      ...deciding,
    },
  }),
}
