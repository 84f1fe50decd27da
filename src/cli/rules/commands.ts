import { buildRouteMap } from '@stricli/core'
import { command } from '../command.ts'
import type { CliContext } from '../context.ts'
import { parseUpTo } from '../format.ts'
import type { BacktestFlags } from './backtest.ts'
import type { CheckFlags } from './check.ts'
import type { PackFlags } from './enable.ts'
import type { ExplainFlags } from './explain.ts'
import type { LearnFlags } from './learn.ts'
import type { NewFlags } from './new.ts'
import type { TrustFlags } from './trust.ts'
import { flag, noArguments, tuple, words } from '../parameters.ts'

async function packs(): Promise<string[]> {
  return (await import('../candidates.ts')).packs()
}

async function templates(): Promise<string[]> {
  return (await import('../candidates.ts')).templates()
}

async function rules(this: CliContext): Promise<string[]> {
  return (await import('../candidates.ts')).rules(this)
}

const text = (input: string): string => input
const some = <const Name extends string>(placeholder: Name, brief: string) => words({ placeholder, brief, parse: text })
const pack = {
  placeholder: 'pack',
  brief: 'The pack, like safe-shell',
  parse: text,
  proposeCompletions: packs,
} as const
const project = flag.yes('For this project: its own .rein/config.toml, which goes with the repository')
const since = flag.moment('Only since: 7d, or 2026-01-31 [default: 30d]')

/** What holds here, and why. */
const looking = {
  list: command<object, []>({
    brief: 'Show which rules hold here, from which files, and what is wrong with them',
    more: 'The rules of this project (.rein/rules), your own, and the packs that come with Rein. Exit code 2 if a file is not valid.',
    example: 'rein rules list',
    flags: {},
    args: noArguments,
    load: () => import('./list.ts'),
  }),
  explain: command<ExplainFlags, string[]>({
    brief: 'Show what would be decided about a call, and who says what',
    more: 'A shell command, in quotes or behind --, or one of the flags. Nothing is run, nobody is told. Rules, policies, leases and loops are asked in their order: deny, ask, rewrite, warn, context.',
    example: "rein rules explain 'git push --force origin main'",
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
      last: flag.parsed('N', 'What was decided about the last N calls of --agent', parseUpTo(100)),
    },
    rest: '[-- <command>…]',
    args: some('command', 'The shell command'),
    load: () => import('./explain.ts'),
  }),
  enable: command<PackFlags, [string]>({
    brief: 'Switch a pack of rules on',
    more: 'For everything of yours, or with --project for everybody who works in this repository. Agents that run are bound by it at once.',
    example: 'rein rules enable safe-shell --project',
    flags: { project },
    args: tuple(pack),
    load: () => import('./enable.ts'),
  }),
  disable: command<PackFlags, [string]>({
    brief: 'Switch a pack of rules off',
    example: 'rein rules disable right-tool',
    flags: { project },
    args: tuple(pack),
    load: () => import('./disable.ts'),
  }),
}

/** From an idea to a rule that holds. */
const writing = {
  new: command<NewFlags, [string | undefined]>({
    brief: 'Write a new rule, from a template',
    more: 'It is written to .rein/rules/<name>.yaml, with tests, and holds at once. --list shows the templates.',
    example: 'rein rules new no-force-push',
    flags: {
      template: {
        ...flag.text('NAME', 'Which template [default: the one of that name, else a blank one]'),
        proposeCompletions: templates,
      },
      guard: flag.yes('It holds even while the daemon is away'),
      user: flag.yes('For everything of yours, not for this project'),
      list: flag.yes('Show the templates'),
    },
    args: tuple({
      placeholder: 'name',
      brief: 'Its name: a-z, 0-9 and -',
      parse: text,
      optional: true,
      proposeCompletions: templates,
    } as const),
    load: () => import('./new.ts'),
  }),
  test: command<object, string[]>({
    brief: 'Run the tests that stand in rule files',
    more: 'Of all rules that apply here and all packs, or only those of some files or rules. Exit code 1 if one fails, 2 if a file is not valid.',
    example: 'rein rules test no-force-push',
    flags: {},
    args: words({ placeholder: 'file or rule', brief: 'Only these', parse: text, proposeCompletions: rules }),
    load: () => import('./test.ts'),
  }),
  check: command<CheckFlags, string[]>({
    brief: 'Look through files for what rules forbid, without a daemon',
    more: 'First all rule files are checked, then each rule that looks into written files is tried on the files of this project that git does not ignore, or on those that are named. Exit code 1: something is forbidden; 2: a rule file is not valid.',
    example: 'rein rules check --format github src',
    flags: {
      format: flag.oneOf(['text', 'json', 'sarif', 'github'], 'How to print what was found [default: text]'),
      rulesOnly: flag.yes('Only check the rule files'),
    },
    args: some('path', 'A file or a directory'),
    load: () => import('./check.ts'),
  }),
  trust: command<TrustFlags, string[]>({
    brief: 'Let rules of this project run what they name',
    more: 'Rewrites, external programs and grammars of a repository wait until a person has looked at them. It shows what they do, asks, and remembers the file as it is now; after any change it waits again. An agent may not do this.',
    example: 'rein rules trust .rein/rules/use-pnpm.yaml',
    flags: { yes: flag.yes('Do not ask') },
    args: some('file', 'Only these files'),
    load: () => import('./trust.ts'),
  }),
}

/** Rules and what really happened. */
const judging = {
  backtest: command<BacktestFlags, []>({
    brief: 'Show what the rules would have done in recorded sessions',
    more: 'Each rule with how often it would have acted, and on what. Calls that a person allowed, or that went well each time, are marked: look at these first. Nothing is run.',
    example: 'rein rules backtest --since 7d --rule no-rm-rf',
    flags: {
      since,
      agent: flag.text('HANDLE', 'Only what this agent did'),
      session: flag.text('ID', 'Only in this session'),
      rule: { ...flag.text('NAME', 'Only this rule'), proposeCompletions: rules },
      commands: flag.text('FILE', 'The commands of a file in place of sessions: one a line, plain or JSON with cmd'),
      limit: flag.parsed('N', 'At most so many calls of each rule [default: 10]', parseUpTo(10_000)),
      format: flag.oneOf(['text', 'json'], 'How to print it [default: text]'),
    },
    args: noArguments,
    load: () => import('./backtest.ts'),
  }),
  learn: command<LearnFlags, []>({
    brief: 'Propose rules from what people refused or corrected, and what kept failing',
    more: 'They are printed with their evidence. With --write they go to .rein/rules/proposed/, which is not in force: a person moves what is good.',
    example: 'rein rules learn --since 30d --write',
    flags: { since, write: flag.yes('Write them to .rein/rules/proposed/') },
    args: noArguments,
    load: () => import('./learn.ts'),
  }),
}

export const rulesCommands = {
  rules: buildRouteMap({
    docs: { brief: 'What agents must not do, or should do otherwise: list, write, test, check, backtest' },
    routes: { ...looking, ...writing, ...judging },
  }),
}
