import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { parseAtLeastOne } from '../format.ts'
import { bundles } from '../bundles/commands.ts'
import { replaying } from '../replay/commands.ts'
import { argument, flag, handleName, tuple } from '../parameters.ts'

const all = flag.yes('From all projects')
const limit = flag.parsed('N', 'Show at most N [default: 50]', parseAtLeastOne)
const stop = flag.yes("End the agent's current work; without this, a working agent is left alone")
const moving = {
  dryRun: flag.yes('Only show how the files would change'),
  stop,
  force: flag.yes('Also overwrite later changes, and do it while other agents work in the same files'),
}

const looking = {
  list: command({
    brief: 'List sessions',
    more: 'Newest first. A session is one conversation with an agent, and all its branches.',
    examples: ['rein session list', 'rein session list --all -n 10'],
    flags: { all, limit },
    load: () => import('./list.ts'),
  }),
  show: command({
    brief: 'Show the turns of a session as a tree, or one turn in full',
    more: "Turn 3 is the state after the agent's third stop, turn 0 the state before its first prompt; 3b is a second turn 3, in another branch.",
    examples: ['rein session show worker-1 3', 'rein session show worker-1'],
    args: tuple(argument.session, argument.turnOrWhole),
    load: () => import('./show.ts'),
  }),
  diff: command({
    brief: 'Show how a turn changed the files, or how two turns differ',
    examples: ['rein session diff worker-1 3 now --patch', 'rein session diff worker-1 3'],
    flags: { patch: flag.yes('Line by line, as git diff shows it') },
    args: tuple(argument.session, argument.turn, argument.otherTurn),
    load: () => import('./diff.ts'),
  }),
  search: command({
    brief: 'Search turns: prompts, replies and tool calls',
    examples: ["rein session search 'date parser'", "rein session search 'date parser' --all"],
    flags: { all, limit },
    args: tuple(argument.searched),
    load: () => import('./search.ts'),
  }),
}

const going = {
  rewind: command({
    brief: 'Take an agent to a turn: its files, its conversation, or both',
    more: 'The state before it is kept, and `rein session undo` brings it back. Ignored files are never deleted.',
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
    more: 'Restores files and conversation from before it. Repeat it to undo the one before that.',
    examples: ['rein session undo worker-1', 'rein session undo worker-1 --dry-run'],
    flags: moving,
    args: tuple(argument.session),
    load: () => import('./undo.ts'),
  }),
  redo: command({
    brief: 'Redo the last undo',
    more: 'After a rewind: go forward again, to where it came from.',
    examples: ['rein session redo worker-1', 'rein session redo worker-1 --dry-run'],
    flags: moving,
    args: tuple(argument.session),
    load: () => import('./redo.ts'),
  }),
  fork: command({
    brief: 'Start another agent from a turn; the first one stays as it is',
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
    brief: 'Continue with a summary, in a new conversation',
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
      more: 'Measured by its newest reply. An agent that gives no handle means itself.',
      examples: ['rein session context worker-1', 'rein session context worker-1 --json'],
      args: tuple(argument.handleOrSelf),
      load: () => import('./context.ts'),
    }),
    gc: command({
      brief: 'Drop snapshots that are past their limits',
      more: 'Rein does this by itself, by the settings sessions.…',
      examples: ['rein session gc', 'rein session gc --json'],
      load: () => import('./gc.ts'),
    }),
  },
})

export const sessions = { session }
