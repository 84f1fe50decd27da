import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import type { CliContext } from '../context.ts'
import { parseUpTo } from '../format.ts'
import type { AddFlags } from './add.ts'
import type { SearchFlags } from './search.ts'
import { flag, noArguments, tuple, words } from '../parameters.ts'

const text = (input: string): string => input

async function names(this: CliContext): Promise<string[]> {
  return (await import('../candidates.ts')).notes(this)
}

async function proposals(this: CliContext): Promise<string[]> {
  return (await import('../candidates.ts')).proposals(this)
}

const title = { placeholder: 'title', brief: 'The problem in one line, with the words that its error has', parse: text }

/** Any other second argument is probably a title without quotes. */
const input = {
  placeholder: '-',
  brief: 'Reads the text from standard input: markdown, best with sections Problem, Fix and Verification',
  parse: (given: string): '-' => {
    if (given === '-') return given
    throw new Error('only - may follow the title, which needs quotes if it has several words')
  },
  optional: true as const,
}
const name = { placeholder: 'name', brief: 'The note: its file without .md', parse: text, proposeCompletions: names }
const proposal = { ...name, brief: 'The proposed note: its name', proposeCompletions: proposals }

const decided = 'Only a person may do this.'

const looking = {
  list: command<object, []>({
    brief: 'List the notes of this project',
    more: 'They are the markdown files of .rein/notes, in the nearest directory above that has it, within the git work tree.',
    example: 'rein note list',
    flags: {},
    args: noArguments,
    load: () => import('./list.ts'),
  }),
  search: command<SearchFlags, string[]>({
    brief: 'Find notes by their words, best first',
    more: 'With the score of each (BM25). A star marks those that an agent would be told of: few notes fit well enough.',
    example: "rein note search 'port is already allocated'",
    flags: { limit: flag.parsed('N', 'At most so many [default: 10]', parseUpTo(100)) },
    args: words({ placeholder: 'words', brief: 'A question, or what a failed command printed', parse: text }),
    load: () => import('./search.ts'),
  }),
  show: command<object, [string]>({
    brief: 'Show a note',
    example: 'rein note show postgres-port',
    flags: {},
    args: tuple(name),
    load: () => import('./show.ts'),
  }),
}

const deciding = {
  proposed: command<object, []>({
    brief: 'List the notes that agents propose',
    more: `No agent sees them before you accept them. ${decided}`,
    example: 'rein note proposed',
    flags: {},
    args: noArguments,
    load: () => import('./proposed.ts'),
  }),
  accept: command<object, [string]>({
    brief: 'Write a proposed note into the project',
    more: `From then on agents may be told of it. ${decided}`,
    example: 'rein note accept postgres-port',
    flags: {},
    args: tuple(proposal),
    load: () => import('./accept.ts'),
  }),
  reject: command<object, [string]>({
    brief: 'Throw a proposed note away',
    more: decided,
    example: 'rein note reject postgres-port',
    flags: {},
    args: tuple(proposal),
    load: () => import('./reject.ts'),
  }),
}

export const notes = {
  note: buildRouteMap({
    docs: { brief: 'Write down what was learnt, and find it again: .rein/notes' },
    routes: {
      add: command<AddFlags, [string, '-' | undefined]>({
        brief: 'Write a note: a problem, its fix, and how that was verified',
        more: 'A new file in .rein/notes, never over one that is there; secrets are taken out. What an agent adds is only proposed: see `rein note proposed`.',
        example: "rein note add 'Port 5432 is taken' --problem 'A local postgres runs' --fix 'Set PGPORT=5433'",
        flags: {
          problem: flag.text('TEXT', 'What happens, and why'),
          fix: flag.text('TEXT', 'What to do'),
          verify: flag.text('TEXT', 'How one sees that it helped'),
          edit: flag.yes('Write it in your editor ($VISUAL or $EDITOR)'),
        },
        args: tuple(title, input),
        load: () => import('./add.ts'),
      }),
      ...looking,
      ...deciding,
    },
  }),
}
