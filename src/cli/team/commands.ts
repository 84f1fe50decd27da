import { command } from '../command.ts'
import { parseCount } from '../format.ts'
import { argument, flag, subject, tuple, words } from '../parameters.ts'
import { bus } from '../bus/commands.ts'
import { chat } from '../chat/commands.ts'

export const team = {
  chat,
  bus,
  watch: command({
    brief: 'Say what an agent is told about, or show it',
    more: 'Subjects are room:NAME, bus:TYPE and hub:NAME (.rein/team.toml), each with * for any. An agent that names nobody means itself.',
    example: "rein watch worker-1 room:general 'bus:task-*'",
    flags: {
      add: flag.repeated('SUBJECT', 'This one, too; may be repeated', subject),
      drop: flag.repeated('SUBJECT', 'This one no longer; may be repeated', subject),
    },
    args: words(argument.watched),
    load: () => import('./watch.ts'),
  }),
  control: command({
    brief: "Write a line to an agent's control topic, or show what was written",
    more: 'register SUBJECT, unregister SUBJECT, set-interval SECONDS, or a # comment. An agent that names nobody means itself.',
    example: "rein control 'register room:general' --agent worker-1",
    flags: { agent: flag.text('HANDLE', 'The agent') },
    args: tuple(argument.controlLine),
    load: () => import('./control.ts'),
  }),
  decision: command({
    brief: 'Log a decision',
    more: 'At every so many of them somebody looks at the whole: a checkpoint (setting team.checkpoint_decisions).',
    example: "rein decision 'SQLite instead of Postgres: one file, no server'",
    args: tuple(argument.text),
    load: () => import('./decision.ts'),
  }),
  decisions: command({
    brief: 'List decisions',
    example: 'rein decisions --last 20',
    flags: {
      last: flag.parsed('N', 'Only the newest so many [default: 100]', parseCount),
      search: flag.text('TEXT', 'Only those that hold this text'),
    },
    aliases: { n: 'last' },
    load: () => import('./decisions.ts'),
  }),
}
