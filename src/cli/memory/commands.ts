import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { parseCount, parseDuration, parseUpTo } from '../format.ts'
import { flag, positional, tuple, words } from '../parameters.ts'
import { notes } from './notes/commands.ts'
import { shell } from './shell/commands.ts'

const all = flag.yes('Of all projects')
const limit = (usual: number) => flag.parsed('N', `At most so many [default: ${usual}]`, parseUpTo(10_000))
const looking = {
  limit: limit(5),
  why: flag.yes('With how likely each is, and why'),
  mine: flag.yes('Nothing that only agents have run; the setting memory.suggest_agents makes it so for good'),
  null: flag.yes('A NUL behind each instead of a line break, for commands of several lines'),
}

const asking = {
  suggest: command({
    brief: 'Complete a command by what is run in this project',
    more: 'Likeliest first, one a line. Without a prefix: what comes next, like `rein memory next`. Nothing is run.',
    examples: ['rein memory suggest git pu', 'rein memory suggest npm --why --mine'],
    flags: {
      ...looking,
      within: flag.parsed('TIME', 'Give up after this time, like 0.3s, and start no daemon', parseDuration),
    },
    aliases: { n: 'limit' },
    args: words(positional('prefix', 'How the command begins; a last blank counts if it is in quotes')),
    load: () => import('./suggest.ts'),
  }),
  next: command({
    brief: 'Show which command is likely to come next here',
    examples: ['rein memory next --why', 'rein memory next -n 3'],
    flags: looking,
    aliases: { n: 'limit' },
    load: () => import('./next.ts'),
  }),
  history: command({
    brief: 'Show which commands you and the agents ran in this project',
    more: 'Newest last: when, who, how it ended, how long it took, and where, if that was not here.',
    examples: ['rein memory history npm test --failed --since 2d', 'rein memory history --author agents -n 20'],
    flags: {
      all,
      ok: flag.yes('Only those that succeeded'),
      failed: flag.yes('Only those that failed'),
      exit: flag.parsed('N', 'Only those with this exit code', parseCount),
      mine: flag.yes('Only those of people: the same as --author person'),
      author: flag.text('WHO', 'Only those of: person, agents, a driver like claude, or the handle of an agent'),
      since: flag.moment('Only those since: 2d, or 2026-01-31T09:30'),
      until: flag.moment('Only those until: 2h, or 2026-01-31T09:30'),
      limit: limit(50),
    },
    aliases: { a: 'all', n: 'limit' },
    args: words(positional('text', 'What is in them, in any case')),
    load: () => import('./history.ts'),
  }),
  diagnose: command({
    brief: 'Say what a failure means and what helped here',
    more: 'With a command behind --: it is run, and its exit code is ours; its output is no terminal. With --command: its output is read from standard input. Else it is about the last command that failed here.',
    examples: ['rein memory diagnose -- npm test', "rein memory diagnose --command 'npm test' < output.txt"],
    flags: {
      last: flag.yes('The last one that failed here; this is the default'),
      command: flag.text('COMMAND', 'What was run; how it failed is on standard input'),
      exit: flag.parsed('N', 'The exit code of that [default: 1]', parseCount),
    },
    rest: '[-- <command>…]',
    args: words(positional('command', 'The command to run')),
    load: () => import('./diagnose.ts'),
  }),
}

const toldSources =
  'From the environment: REIN_SESSION_ID, REIN_CWD, REIN_AUTHOR or REIN_SHELL; or one JSON object on standard input.'

const feeding = {
  ingest: command({
    brief: 'Tell of a command that was run',
    more: 'From the environment: REIN_CMD, REIN_CWD, REIN_EXIT, REIN_TS (when it began), REIN_DURATION_MS, REIN_SESSION_ID, REIN_AUTHOR or REIN_SHELL; or JSON, one object a line on standard input. Prints nothing; when the daemon does not answer in a second it is kept in a file until one does.',
    examples: ["REIN_CMD='make test' REIN_EXIT=2 rein memory ingest", 'rein memory ingest < commands.ndjson'],
    load: () => import('./ingest.ts'),
  }),
  sessionStart: command({
    brief: 'Tell that a shell, or an agent, has begun',
    more: toldSources,
    examples: [
      'REIN_SESSION_ID=s1 REIN_AUTHOR=my-agent rein memory session-start',
      'rein memory session-start < session.json',
    ],
    load: () => import('./session-start.ts'),
  }),
  sessionEnd: command({
    brief: 'Tell that it has ended',
    more: toldSources,
    examples: ['REIN_SESSION_ID=s1 rein memory session-end', 'rein memory session-end < session.json'],
    load: () => import('./session-end.ts'),
  }),
  import: command({
    brief: 'Read in the histories of shells, and transcripts of agents',
    more: 'Without files it shows which there are. What was read in before does not count twice.',
    examples: ['rein memory import ~/.bash_history', 'rein memory import --all'],
    flags: {
      all: flag.yes('All that are found in the usual places'),
      kind: flag.oneOf(['bash', 'zsh', 'fish', 'atuin', 'claude', 'codex'], 'What they are [default: it is looked at]'),
    },
    args: words(positional('file', 'A history, or a directory with transcripts')),
    load: () => import('./import.ts'),
  }),
  forget: command({
    brief: 'Forget commands, for good',
    more: 'Shows which, and asks before it does, unless --yes is given. They go out of the log, too.',
    examples: ["rein memory forget 'curl *internal*' --dry-run", 'rein memory forget --since 2h'],
    flags: {
      since: flag.moment('All since: 2h, or 2026-01-31T09:30'),
      all,
      dryRun: flag.yes('Only show which'),
      yes: flag.yes('Do not ask'),
    },
    aliases: { a: 'all' },
    args: tuple({
      ...positional('pattern', 'A text in anything kept of them, or a pattern with * for whole commands'),
      optional: true,
    }),
    load: () => import('./forget.ts'),
  }),
}

const judging = {
  show: command({
    brief: 'Show what is known of this project, and what agents are told when they start',
    examples: ['rein memory show', 'rein memory show --json'],
    load: () => import('./show.ts'),
  }),
  stats: command({
    brief: 'Show how commands went, and whether advice helped',
    more: 'Failures by day and program, what was said to agents and what they made of it, and the conversations with advice beside those that were picked at random to get none.',
    examples: ['rein memory stats --days 7', 'rein memory stats --all'],
    flags: { all, days: flag.parsed('N', 'Of the last N days, with today [default: 30]', parseUpTo(3650)) },
    aliases: { a: 'all' },
    load: () => import('./stats.ts'),
  }),
  log: command({
    brief: 'Show every decision to tell an agent something, or nothing',
    more: 'Newest last, with the reason, and what was run next.',
    examples: ['rein memory log --shown', 'rein memory log -n 10'],
    flags: {
      all,
      shown: flag.yes('Only what was said'),
      session: flag.text('ID', 'Only in this conversation'),
      limit: limit(50),
    },
    aliases: { a: 'all', n: 'limit' },
    load: () => import('./log.ts'),
  }),
  eval: command({
    brief: 'Measure how well commands are predicted',
    more: 'Each command is predicted before it is learnt. Without a file: the commands of this project. A file has one JSON object a line: session, seq, cmd, and project or user, cwd, exit, agent, ts.',
    examples: ['rein memory eval --shuffle', 'rein memory eval history.jsonl -o predictions.jsonl'],
    flags: {
      history: flag.text('FILE', 'A history, like the argument'),
      shuffle: flag.yes('Also for the same commands in another order: what is left then is mere frequency'),
      throughHooks: flag.text('FILE', 'Replay this history through hooks alone, in a daemon that knows nothing yet'),
      output: flag.text('FILE', 'Write down what was predicted, one JSON object a line'),
      all: flag.yes('Without a file: the commands of all projects'),
    },
    aliases: { o: 'output' },
    args: tuple({ ...positional('history', 'A history as JSON, one command a line'), optional: true }),
    load: () => import('./eval.ts'),
  }),
  waste: command({
    brief: 'Look through transcripts for commands that were wasted',
    more: 'Failed ones, the same again right after a failure, and the shell where the agent has a tool of its own. Nothing is remembered.',
    examples: ['rein memory waste ~/.claude/projects', 'rein memory waste --json ~/.claude/projects'],
    args: words(positional('transcript', 'A transcript of Claude Code or Codex, or a directory with some')),
    load: () => import('./waste.ts'),
  }),
}

export const memory = {
  memory: buildRouteMap({
    docs: { brief: 'Use remembered commands: suggest, diagnose, notes' },
    routes: { ...asking, ...notes, ...judging, ...feeding, ...shell },
  }),
}
