import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import { parseAtLeastOne, parseUpTo } from '../format.ts'
import { argument, flag, positional, propose, tuple, words } from '../parameters.ts'

const pack = { ...positional('pack', 'The pack, like safe-shell'), proposeCompletions: propose('packs') }
const project = flag.yes('For this project: its own .rein/config.toml, which goes with the repository')
const since = flag.moment('Only since: 7d, or 2026-01-31 [default: 30d]')

const looking = {
  list: command({
    brief: 'List the rules in force here, their files, and errors in them',
    more: 'The rules of this project (.rein/rules), your own, and the packs that come with Rein. Exit code 2 if a file is not valid.',
    examples: ['rein rules list', 'rein rules list --json'],
    load: () => import('./list.ts'),
  }),
  explain: command({
    brief: 'Show how a tool call would be decided, and each verdict',
    more: 'A shell command, in quotes or behind --, or one of the flags. Nothing is run, and no agent is told. Rules, policies, leases and loops are asked in their order: deny, ask, rewrite, warn, context.',
    examples: [
      "rein rules explain 'git push --force origin main'",
      "rein rules explain --write .env --content 'KEY=1'",
    ],
    flags: {
      agent: flag.text('HANDLE', 'As if this agent made the call'),
      write: flag.text('PATH', 'Writing this file; --content says what'),
      edit: flag.text('PATH', 'Editing this file; --old and --content say what'),
      content: flag.text('TEXT', 'What is written; - reads it from standard input'),
      old: flag.text('TEXT', 'What an edit replaces'),
      read: flag.text('PATH', 'Reading this file'),
      fetch: flag.text('URL', 'Loading this address'),
      tool: flag.text('NAME', 'A tool by its own name; --input is its input'),
      input: flag.text('JSON', 'The input of --tool'),
      last: flag.parsed('N', 'Show the decisions on the last N calls of --agent', parseUpTo(100)),
    },
    rest: '[-- <command>…]',
    args: words(positional('command', 'The shell command')),
    load: () => import('./explain.ts'),
  }),
  enable: command({
    brief: 'Switch a pack of rules on',
    more: 'Applies to all your projects, or with --project to everybody who works in this repository. Running agents are bound by it at once.',
    examples: ['rein rules enable safe-shell --project', 'rein rules enable right-tool'],
    flags: { project },
    args: tuple(pack),
    load: () => import('./enable.ts'),
  }),
  disable: command({
    brief: 'Switch a pack of rules off',
    examples: ['rein rules disable right-tool', 'rein rules disable safe-shell --project'],
    flags: { project },
    args: tuple(pack),
    load: () => import('./disable.ts'),
  }),
}

const writing = {
  new: command({
    brief: 'Write a new rule, from a template',
    more: 'It is written to .rein/rules/<name>.yaml, with tests, and holds at once. --list shows the templates.',
    examples: ['rein rules new no-force-push', 'rein rules new --list'],
    flags: {
      template: {
        ...flag.text('NAME', 'Which template [default: the one of that name, else a blank one]'),
        proposeCompletions: propose('templates'),
      },
      guard: flag.yes('It also works while the daemon is down'),
      global: flag.yes('For all your projects, not only this one'),
      list: flag.yes('Show the templates'),
    },
    args: tuple({
      ...positional('name', 'Its name: a-z, 0-9 and -'),
      optional: true,
      proposeCompletions: propose('templates'),
    }),
    load: () => import('./new.ts'),
  }),
  test: command({
    brief: 'Run the tests in rule files',
    more: 'Of all rules that apply here and all packs, or only those of some files or rules. Exit code 1 if one fails, 2 if a file is not valid.',
    examples: ['rein rules test no-force-push', 'rein rules test'],
    args: words({ ...positional('file or rule', 'Only these'), proposeCompletions: propose('rules') }),
    load: () => import('./test.ts'),
  }),
  check: command({
    brief: 'Check files against the rules, without a daemon',
    more: 'First all rule files are checked, then each rule on file contents is tried on the named files, or on all files of this project that git does not ignore. Exit code 1: something is forbidden; 2: a rule file is not valid.',
    examples: ['rein rules check --format github src', 'rein rules check --rules-only'],
    flags: {
      format: flag.oneOf(['text', 'json', 'sarif', 'github'], 'How to print what was found [default: text]'),
      rulesOnly: flag.yes('Only check the rule files'),
    },
    args: words(positional('path', 'A file or a directory')),
    load: () => import('./check.ts'),
  }),
  trust: command({
    brief: 'Allow rules of this project to run programs',
    more: "A repository's rewrites, external programs and grammars are off until a person has reviewed them. This command shows them, asks, and stores the hash of the file; any change needs a new review. An agent may not do this.",
    examples: ['rein rules trust .rein/rules/use-pnpm.yaml', 'rein rules trust --yes'],
    flags: { yes: flag.yes('Do not ask') },
    args: words(positional('file', 'Only these files')),
    load: () => import('./trust.ts'),
  }),
}

const judging = {
  backtest: command({
    brief: 'Show what the rules would have done in recorded sessions',
    more: 'Each rule with how often it would have acted, and on what. Calls that a person allowed, or that went well each time, are marked: look at these first. Nothing is run.',
    examples: ['rein rules backtest --since 7d --rule no-rm-rf', 'rein rules backtest --agent worker-1 -n 3'],
    flags: {
      since,
      agent: flag.text('HANDLE', 'Only what this agent did'),
      session: flag.text('ID', 'Only in this session'),
      rule: { ...flag.text('NAME', 'Only this rule'), proposeCompletions: propose('rules') },
      commands: flag.text('FILE', 'The commands of a file in place of sessions: one a line, plain or JSON with cmd'),
      limit: flag.parsed('N', 'Show at most N calls of each rule [default: 10]', parseUpTo(10_000)),
      format: flag.oneOf(['text', 'json'], 'How to print it [default: text]'),
    },
    load: () => import('./backtest.ts'),
  }),
  learn: command({
    brief: 'Propose rules from refusals, corrections and repeated failures',
    more: 'They are printed with their evidence. With --write they go to .rein/rules/proposed/, which is not in force: a person moves the good ones to .rein/rules/.',
    examples: ['rein rules learn --since 30d --write', 'rein rules learn'],
    flags: { since, write: flag.yes('Write them to .rein/rules/proposed/') },
    load: () => import('./learn.ts'),
  }),
  loops: command({
    brief: "Show where agents repeated themselves, and Rein's reaction",
    more: 'Newest first. When an agent repeats itself and nothing changes, Rein tells it, then asks a person, then stops it: settings loops.… Without a handle: all agents of this project.',
    examples: ['rein rules loops worker-1', 'rein rules loops -n 10'],
    flags: { limit: flag.parsed('N', 'Show at most N [default: 50]', parseAtLeastOne) },
    args: tuple(argument.handleOrAll),
    load: () => import('./loops.ts'),
  }),
}

export const rulesCommands = {
  rules: buildRouteMap({
    docs: { brief: 'Say what agents must not do: list, write, test, check' },
    routes: { ...looking, ...writing, ...judging },
  }),
}
