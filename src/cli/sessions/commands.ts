import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { parseAtLeastOne } from '../format.ts'
import { bundles } from '../bundles/commands.ts'
import { replaying } from '../replay/commands.ts'
import { argument, flag, handleName, tuple } from '../parameters.ts'

const all = flag.yes('Of all projects')
const limit = flag.parsed('N', 'At most so many [default: 50]', parseAtLeastOne)
const stop = flag.yes('End what the agent is doing; else one that is at work is left alone')
const moving = {
  dryRun: flag.yes('Only show what would become of the files'),
  stop,
  force: flag.yes('Also over what was changed meanwhile, and while other agents work in the same files'),
}

const looking = {
  list: command({
    brief: 'List sessions',
    more: 'Newest first. A session is one conversation with an agent, and all that branched off from it.',
    examples: ['rein session list', 'rein session list --all -n 10'],
    flags: { all, limit },
    aliases: { a: 'all', n: 'limit' },
    load: () => import('./list.ts'),
  }),
  show: command({
    brief: 'Show the turns of a session as a tree, or one turn in full',
    more: 'Turn 3 is the state after the third stop of the agent, turn 0 the one before its first prompt; 3b is the second turn 3, in another branch.',
    examples: ['rein session show worker-1 3', 'rein session show worker-1'],
    args: tuple(argument.session, argument.turnOrWhole),
    load: () => import('./show.ts'),
  }),
  diff: command({
    brief: 'Show what a turn did to the files, or what lies between two',
    examples: ['rein session diff worker-1 3 now --patch', 'rein session diff worker-1 3'],
    flags: { patch: flag.yes('Line by line, as git diff shows it') },
    args: tuple(argument.session, argument.turn, argument.otherTurn),
    load: () => import('./diff.ts'),
  }),
  search: command({
    brief: 'Find turns by what was asked, said and done',
    examples: ["rein session search 'date parser'", "rein session search 'date parser' --all"],
    flags: { all, limit },
    aliases: { a: 'all', n: 'limit' },
    args: tuple(argument.searched),
    load: () => import('./search.ts'),
  }),
}

const going = {
  rewind: command({
    brief: 'Take an agent to a turn: its files, its conversation, or both',
    more: 'What was there before is kept, and `rein session undo` brings it back. Ignored files are never deleted.',
    examples: ['rein session rewind worker-1 3 --dry-run', 'rein session rewind worker-1 3 --code'],
    flags: {
      code: flag.yes('Only the files'),
      chat: flag.yes('Only the conversation'),
      both: flag.yes('Files and conversation; this is the default'),
      ...moving,
    },
    args: tuple(argument.session, argument.turn),
    load: () => import('./rewind.ts'),
  }),
  undo: command({
    brief: 'Take back the last rewind or compact',
    more: 'Files and conversation are what they were before it. Again: the one before that.',
    examples: ['rein session undo worker-1', 'rein session undo worker-1 --dry-run'],
    flags: moving,
    args: tuple(argument.session),
    load: () => import('./undo.ts'),
  }),
  redo: command({
    brief: 'Do again what was undone',
    more: 'After a rewind: go forward again, to where it came from.',
    examples: ['rein session redo worker-1', 'rein session redo worker-1 --dry-run'],
    flags: moving,
    args: tuple(argument.session),
    load: () => import('./redo.ts'),
  }),
  fork: command({
    brief: 'Start another agent from a turn, and leave the first as it is',
    more: 'With --worktree it gets the files of that turn in a directory of its own.',
    examples: ['rein session fork worker-1 3 --as worker-2 --worktree ../shop-2', 'rein session fork worker-1'],
    flags: {
      worktree: flag.textOrEmpty('[DIR]', 'In a work tree of its own: here [default: Rein chooses where]'),
      as: flag.parsed('HANDLE', 'A name for the new agent [default: Rein makes one]', handleName),
    },
    args: tuple(argument.session, argument.turnOrCurrent),
    load: () => import('./fork.ts'),
  }),
  compact: command({
    brief: 'Let an agent go on with a summary, in a new conversation',
    more: 'The old one stays as it is: `rein session undo` goes back to it. Files are not touched.',
    examples: ['rein session compact worker-1', 'rein session compact worker-1 --stop'],
    flags: { stop },
    args: tuple(argument.session),
    load: () => import('./compact.ts'),
  }),
}

const session = buildRouteMap({
  docs: { brief: 'Look back at turns, rewind files and conversation' },
  routes: {
    ...looking,
    ...going,
    ...bundles,
    ...replaying,
    context: command({
      brief: "Show how full an agent's context is",
      more: 'By what its newest reply used. An agent that names nobody means itself.',
      examples: ['rein session context worker-1', 'rein session context worker-1 --json'],
      args: tuple(argument.handleOrSelf),
      load: () => import('./context.ts'),
    }),
    gc: command({
      brief: 'Drop snapshots that are no longer wanted',
      more: 'Rein does this by itself, by what the settings sessions.… say.',
      examples: ['rein session gc', 'rein session gc --json'],
      load: () => import('./gc.ts'),
    }),
  },
})

export const sessions = { session }
