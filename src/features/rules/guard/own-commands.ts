import { otherThan } from './other-than.ts'

/** The commands of `rein` for agents; an empty list means all below it, and a key may have two words. All others, also unknown words, are for people. */
export const agentCommands: Readonly<Record<string, readonly string[]>> = {
  ps: [],
  top: [],
  logs: [],
  tell: [],
  inbox: [],
  receipt: [],
  ack: [],
  session: ['list', 'show', 'diff', 'search', 'inspect', 'context'],
  lease: [],
  rules: ['list', 'explain', 'test', 'check', 'backtest', 'learn', 'loops'],
  memory: [
    'suggest',
    'next',
    'history',
    'diagnose',
    'note',
    'show',
    'stats',
    'log',
    'eval',
    'waste',
    'ingest',
    'session-start',
    'session-end',
    'shell',
  ],
  'memory note': ['add', 'list', 'search', 'show', 'proposed'],
  chat: ['open', 'send', 'read', 'search', 'export', 'create', 'members', 'list'],
  bus: ['publish', 'check', 'read', 'ack', 'status', 'watch', 'control'],
  decision: [],
  task: ['list', 'show', 'report'],
  team: ['status'],
  story: [],
  channel: ['list', 'send', 'tail', 'dead'],
  adapter: ['list'],
  follow: [],
  service: ['status'],
  daemon: ['status', 'logs'],
  config: ['list', 'get', 'paths'],
  doctor: [],
  mcp: [],
  completions: [],
}

/** Commands that decide what agents may do: a guard is in doubt about lines that name one of these. */
const personOnly: Readonly<Record<string, readonly string[]>> = {
  rules: ['trust', 'enable', 'disable', 'new'],
  config: ['set', 'unset', 'edit'],
  setup: [],
  cleanup: [],
  uninstall: [],
  trust: [],
  stop: [],
  kill: [],
  shutdown: [],
  terminate: [],
  disable: [],
  daemon: ['start', 'stop', 'restart', 'rebuild', 'repair', 'kill'],
  service: ['install', 'remove', 'stop', 'disable'],
  answer: [],
  approve: [],
  allow: [],
  'memory note': ['accept', 'reject'],
  resume: [],
  channel: ['create', 'remove', 'route', 'token', 'default'],
  task: ['new', 'start', 'pause', 'resume', 'stop', 'done'],
  team: ['up', 'down'],
  orchestrate: [],
}

/** Agents use these words in what they tell each other. */
const everyday: readonly string[] = [
  'task',
  'team',
  'stop',
  'kill',
  'shutdown',
  'terminate',
  'disable',
  'approve',
  'allow',
  'resume',
]

const runtimes = ['node', 'nodejs', 'bun', 'tsx', 'deno', 'yarn', 'pnpm']

/** Flags may stand between the words of a command. */
const spread = (group: string): string => group.replaceAll(' ', ' (-\\S+ )*')

const listedWords = Object.entries(personOnly).map(([group, own]) =>
  own.length === 0 ? group : `${spread(group)} (-\\S+ )*(${own.join('|')})`,
)

/** No commands, but they only ask; `npm view rein version` may look like one. */
const asking = ['help', 'version', 'versions']

/** A flag is none of the words, and where nothing follows, help is printed. */
const unlisted = [
  otherThan([...Object.keys(agentCommands).filter((group) => !group.includes(' ')), ...asking], ' ', '-'),
  ...Object.entries(agentCommands)
    .filter(([, own]) => own.length > 0)
    .map(([group, own]) => `${spread(group)} (-\\S+ )*${otherThan(own, ' ', '-')}`),
].join('|')

/** By its name, or by that of its script: `npx rein`, `node …/rein.cjs`. */
export const decides: object = {
  any: [
    {
      shell: {
        program: ['rein', 'rein@*', 'rein.cjs', 'cli.cjs', ...runtimes],
        words: String.raw`^((${runtimes.join('|')}) (.* )?)?(\S*/)?(rein(@\S*)?|rein\.cjs|cli\.cjs) (-\S+ )*(${listedWords.join('|')})( |$)`,
      },
    },
    { shell: { program: ['rein', 'rein@*', 'rein.cjs', 'rein.js'], words: String.raw`^\S+ (-\S+ )*(${unlisted})` } },
    {
      shell: {
        program: runtimes,
        words: String.raw`^\S+ (-\S+ |run )*(\S*/)?(rein|rein\.[cm]?js|rein/(dist|bin)/\S+) (-\S+ )*(${unlisted})`,
      },
    },
  ],
}

/** In doubt a guard would deny every line of made code, so it holds for those that name such a command. */
export const namesCommand: object = {
  regex: {
    pattern: Object.entries(personOnly)
      .map(([group, own]) => {
        if (!everyday.includes(group)) return String.raw`(rein|cli\.cjs)\b.*\b${group.split(' ').at(-1)}\b`
        return own.length === 0
          ? String.raw`\brein\W{1,4}${group}\b`
          : String.raw`(rein|cli\.cjs)\b.*\b${group}\W+(${own.join('|')})\b`
      })
      .join('|'),
    flags: 's',
    on: 'command',
  },
}
