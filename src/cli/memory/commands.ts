import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { parseCount, parseDuration, parseUpTo } from '../format.ts'
import { flag, positional, tuple, words } from '../parameters.ts'
import { notes } from './notes/commands.ts'
import { shell } from './shell/commands.ts'

const all = flag.yes('From all projects')
const limit = (usual: number) => flag.parsed('N', `Show at most N [default: ${usual}]`, parseUpTo(10_000))
const looking = {
  limit: limit(5),
  verbose: flag.yes('Also show probability and reason'),
  mine: flag.yes('Leave out commands that only agents have run; permanently: the setting memory.suggest_agents'),
  null: flag.yes('A NUL behind each instead of a line break, for commands of several lines'),
}

const asking = {
  suggest: command({
    brief: "Complete a command from this project's history",
    more: 'Likeliest first, one a line. Without a prefix: what comes next, like `rein memory next`. Nothing is run.',
    examples: ['rein memory suggest git pu', 'rein memory suggest npm --verbose --mine'],
    flags: {
      ...looking,
      timeout: flag.parsed('TIME', 'Give up after this time, like 0.3s, and start no daemon', parseDuration),
    },
    args: words(positional('prefix', 'How the command begins; a last blank counts if it is in quotes')),
    load: () => import('./suggest.ts'),
  }),
  next: command({
    brief: 'Show which command is likely to come next here',
    examples: ['rein memory next --verbose', 'rein memory next -n 3'],
    flags: looking,
    load: () => import('./next.ts'),
  }),
  history: command({
    brief: 'Show which commands you and the agents ran in this project',
    more: 'Newest last: time, author, exit code, duration, and directory if not this one.',
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
    args: words(positional('text', 'What is in them, in any case')),
    load: () => import('./history.ts'),
  }),
  diagnose: command({
    brief: 'Say what a failure means and what helped here',
    more: "With a command after --: runs it, and exits with its exit code; its output is a pipe, not a terminal. With --command: reads that command's output from standard input. Otherwise: explains the last command that failed here.",
    examples: ['rein memory diagnose -- npm test', "rein memory diagnose --command 'npm test' < output.txt"],
    flags: {
      last: flag.yes('Explain the last command that failed here (default)'),
      command: flag.text('COMMAND', 'The command that failed; its output is on standard input'),
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
    brief: 'Record a command that was run',
    more: 'From the environment: REIN_CMD, REIN_CWD, REIN_EXIT, REIN_TS (when it began), REIN_DURATION_MS, REIN_SESSION_ID, REIN_AUTHOR or REIN_SHELL; or JSON, one object a line on standard input. Prints nothing; if no daemon answers within a second, a file keeps the command until one does.',
    examples: ["REIN_CMD='make test' REIN_EXIT=2 rein memory ingest", 'rein memory ingest < commands.ndjson'],
    load: () => import('./ingest.ts'),
  }),
  sessionStart: command({
    brief: 'Record that a shell or an agent has started',
    more: toldSources,
    examples: [
      'REIN_SESSION_ID=s1 REIN_AUTHOR=my-agent rein memory session-start',
      'rein memory session-start < session.json',
    ],
    load: () => import('./session-start.ts'),
  }),
  sessionEnd: command({
    brief: 'Record that a shell or an agent has ended',
    more: toldSources,
    examples: ['REIN_SESSION_ID=s1 rein memory session-end', 'rein memory session-end < session.json'],
    load: () => import('./session-end.ts'),
  }),
  import: command({
    brief: 'Import shell histories and agent transcripts',
    more: 'Without files: shows the ones that it finds. A command that was imported before does not count twice.',
    examples: ['rein memory import ~/.bash_history', 'rein memory import --all'],
    flags: {
      all: flag.yes('All files in the usual places'),
      kind: flag.oneOf(['bash', 'zsh', 'fish', 'atuin', 'claude', 'codex'], 'Their kind [default: detected]'),
    },
    args: words(positional('file', 'A history, or a directory with transcripts')),
    load: () => import('./import.ts'),
  }),
  forget: command({
    brief: 'Delete commands from memory for good',
    more: 'Shows them, and asks unless --yes is given. They are also removed from the log.',
    examples: ["rein memory forget 'curl *internal*' --dry-run", 'rein memory forget --since 2h'],
    flags: {
      since: flag.moment('All since: 2h, or 2026-01-31T09:30'),
      all,
      dryRun: flag.yes('Only show which'),
      yes: flag.yes('Do not ask'),
    },
    args: tuple({
      ...positional('pattern', 'A text in any stored field, or a pattern with * for whole commands'),
      optional: true,
    }),
    load: () => import('./forget.ts'),
  }),
}

const judging = {
  show: command({
    brief: 'Show what Rein knows about this project and tells agents at their start',
    examples: ['rein memory show', 'rein memory show --json'],
    load: () => import('./show.ts'),
  }),
  stats: command({
    brief: 'Show how commands went, and whether advice helped',
    more: 'Failures by day and program, the advice given and its outcome, and a comparison of conversations with advice and randomly picked ones without.',
    examples: ['rein memory stats --days 7', 'rein memory stats --all'],
    flags: { all, days: flag.parsed('N', 'Of the last N days, with today [default: 30]', parseUpTo(3650)) },
    load: () => import('./stats.ts'),
  }),
  log: command({
    brief: 'Show every decision to advise an agent, or not to',
    more: 'Newest last, with the reason, and the next command.',
    examples: ['rein memory log --shown', 'rein memory log -n 10'],
    flags: {
      all,
      shown: flag.yes('Only what was said'),
      session: flag.text('ID', 'Only in this conversation'),
      limit: limit(50),
    },
    load: () => import('./log.ts'),
  }),
  eval: command({
    brief: 'Measure how well commands are predicted',
    more: 'Each command is predicted before it is learnt. Without a file: the commands of this project. A file has one JSON object a line: session, seq, cmd, and project or user, cwd, exit, agent, ts.',
    examples: ['rein memory eval --shuffle', 'rein memory eval history.jsonl -o predictions.jsonl'],
    flags: {
      history: flag.text('FILE', 'A history, like the argument'),
      shuffle: flag.yes('Also predict the same commands in another order, to see the effect of frequency alone'),
      throughHooks: flag.text('FILE', 'Replay this history through hooks alone, in a daemon that knows nothing yet'),
      output: flag.text('FILE', 'Write the predictions to this file, one JSON object per line'),
      all: flag.yes('Without a file: the commands of all projects'),
    },
    args: tuple({ ...positional('history', 'A history as JSON, one command a line'), optional: true }),
    load: () => import('./eval.ts'),
  }),
  waste: command({
    brief: 'Find wasted commands in transcripts',
    more: 'Failures, repetitions right after a failure, and shell commands where the agent has its own tool. Nothing is stored.',
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
