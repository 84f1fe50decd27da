import path from 'node:path'
import type { RuleSource } from '../types.ts'

/** Where things of Rein's own are. */
export interface OwnPlaces {
  state: string
  runtime: string
  /** The user's config.toml; the user's rules are beside it. */
  config: string
  home: string
  /** CLIs look for their settings where it says. */
  env?: NodeJS.ProcessEnv
}

/** What `rein setup` writes to, and where rules and settings are, from the top of a project. */
const inProject = [
  '.rein/rules/**',
  '**/.rein/rules/*.yaml',
  '**/.rein/rules/*.yml',
  '.rein/config.toml',
  '.rein/opencode/**',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/config.toml',
  '.codex/hooks.json',
  '.gemini/settings.json',
  '.github/hooks/*.json',
  'opencode.json',
  'opencode.jsonc',
  '.opencode/opencode.json',
  '.opencode/opencode.jsonc',
  '.opencode/plugin/**',
  '.opencode/plugins/**',
]

/** What the CLIs read in their own directories: the variable that names one, where it is without that, and the files. */
const ofUser: readonly (readonly [string, string, readonly string[]])[] = [
  ['CLAUDE_CONFIG_DIR', '~/.claude', ['settings.json', 'settings.local.json']],
  ['CODEX_HOME', '~/.codex', ['config.toml', 'hooks.json']],
  ['GEMINI_CLI_HOME', '~', ['.gemini/settings.json']],
  ['COPILOT_HOME', '~/.copilot', ['hooks/**', 'config.json']],
  [
    'XDG_CONFIG_HOME',
    '~/.config',
    ['opencode.json', 'opencode.jsonc', 'plugin/**', 'plugins/**', 'rein/**'].map((file) => `opencode/${file}`),
  ],
]

const inHomes = (env: NodeJS.ProcessEnv): string[] =>
  ofUser.flatMap(([name, usual, files]) => {
    const moved = env[name] ?? ''
    const directories = path.isAbsolute(moved) ? [usual, escaped(path.resolve(moved))] : [usual]
    return directories.flatMap((directory) => files.map((file) => `${directory}/${file}`))
  })

const message =
  'This is one of the files that rules, or the hooks that keep them, are made of: a person changes it, not an agent. Propose the change in another file, and say where it belongs.'

const notYours =
  'This decides what binds agents: a person does it, not an agent. Say what you would like to have changed.'

const notToHandle =
  'This is what Rein keeps its rules by: its files, its socket, its process or the variables that lead to them. Leave it as it is, and say what you would like to have changed.'

/** What Rein gives to each agent, and its hooks look at. */
const ownVariables = String.raw`\bREIN_(GUARDS|SOCKET|SPOOL|WAITERS|TOKEN|AGENT|HANDLE|PROJECT)\b`

/** They look, or pass a name on, and change nothing. */
const lookers =
  'echo printf cat ls stat head tail less more grep egrep rg wc file test [ [[ : printenv jq diff cmp realpath readlink basename dirname du tree git cd gh sha256sum md5sum rein true'

/** They change, replace or take away the files that they are given. */
const changers = 'rm mv ln cp chmod chown truncate tee install unlink sed dd shred trash rsync'.split(' ')

/** What ends a service, or keeps it from coming back. */
const ends = 'stop|disable|kill|mask|unload|restart|remove|bootout|reset-failed|edit|set-property|revert'

/** What ends Rein's process, or keeps it from coming back. */
const endings: readonly object[] = [
  {
    shell: {
      program: ['kill', 'pkill', 'killall', 'xkill', 'fuser', 'skill', 'gdb', 'lldb', 'prlimit'],
      words: String.raw`\brein\b|\[r\]ein|daemon\.js|keeper\.js|dist/(daemon|keeper)`,
    },
  },
  // By a number that was looked up before.
  {
    all: [
      { shell: { program: ['kill', 'pkill', 'killall'] } },
      {
        regex: {
          pattern: String.raw`daemon\.json|\b(pgrep|pidof|ps|lsof|ss|systemctl)\b[^;|&\n]*(\brein\b|\[r\]ein)|\bgrep\b[^;|&\n]*(\brein\b|\[r\]ein)`,
          on: 'command',
        },
      },
    ],
  },
  // An agent whose settings, and the hooks in them, lie elsewhere.
  {
    regex: {
      pattern: String.raw`\b(CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME|COPILOT_HOME)=\S+\s+([A-Z_]+=\S*\s+)*(claude|codex|gemini|copilot)\b`,
      on: 'command',
    },
  },
  // Each Node of the person, and the daemon with them.
  { shell: { program: ['pkill', 'killall'], words: String.raw`^\w+( -\S+)* ['"^]*node(js)?\$?['"]*$` } },
  { shell: { program: 'kill', words: String.raw`(pidof|pgrep( -\S+)*) node` } },
  { shell: { program: 'tmux', words: String.raw`-[LS] ?\S*rein\S* .*kill-(server|session)` } },
]

/** What takes its programs away, or starts an agent without them. */
const removals: readonly object[] = [
  // The programs themselves.
  {
    shell: {
      program: changers,
      words: String.raw`(^|[\s/])(rein-guard|rein-hook|rein-wait|rein\.cjs)( |$)|/s?bin/rein( |$)|node_modules/rein(/|\s|$)|\$\(npm root -g\)["']?/rein\b`,
    },
  },
  {
    shell: {
      program: ['npm', 'pnpm', 'yarn', 'bun', 'volta'],
      words: String.raw`^\S+ (\S+ )*?(uninstall|remove|rm|un|unlink|r) (\S+ )*?rein(@\S*)?( |$)`,
    },
  },
  {
    regex: {
      pattern: String.raw`>\s*["']?(\$\(|` + '`' + String.raw`)(which|command -v|type -[pP]) (-\S+ )*rein`,
      on: 'command',
    },
  },
  {
    shell: {
      program: ['pgrep', 'ps', 'pidof', 'lsof', 'jq', 'cat', 'grep', 'ss', 'awk', 'sed'],
      words: String.raw`\brein\b|\[r\]ein|daemon\.js`,
      pipes_to: ['kill', 'pkill', 'killall'],
    },
  },
  {
    shell: {
      program: ['systemctl', 'launchctl', 'service', 'loginctl', 'rc-service', 'sv', 'supervisorctl'],
      words: String.raw`\b(${ends}).*\brein\b|\brein\b.*\b(${ends})\b`,
    },
  },
  {
    shell: {
      program: ['claude', 'codex', 'gemini', 'copilot', 'opencode'],
      words: String.raw`disableAllHooks|--bare\b|hooks\.enabled=false`,
    },
  },
]

/** Whatever else is done to what is Rein's, by whichever program, is not an agent's to do. */
const handles = ({ state, runtime }: OwnPlaces): object[] => {
  const own = [state, runtime].map((directory) => String.raw`(^|[^\w.-])${literal(directory)}(/|\s|$)`)
  const others = ['*', ...lookers.split(' ').map((name) => `!${name}`)]
  return [
    { shell: { program: others, words: [ownVariables, ...own].join('|') } },
    // A variable that is set before a program is none of its words.
    {
      regex: {
        pattern: String.raw`(^|[\s;&|(])REIN_(GUARDS|SOCKET|SPOOL|WAITERS|TOKEN|AGENT|HANDLE|PROJECT)=`,
        on: 'command',
      },
    },
    ...endings,
    ...removals,
  ]
}

/** As with files, in doubt only for a line that names one of them. */
const namesThings = ({ state, runtime }: OwnPlaces): object => ({
  regex: {
    pattern: [
      ownVariables,
      'REIN_[A-Z]+=',
      ...[state, runtime].map((directory) => `/${literal(path.basename(directory))}\\b`),
      String.raw`\b(kill|pkill|killall|xkill|fuser|skill|systemctl|launchctl|service|loginctl|sv|supervisorctl|gdb|lldb|prlimit|tmux)\b(.|\n)*(\brein|\[r\]ein)|(\brein\b|\[r\]ein)(.|\n)*\bkill`,
      String.raw`daemon\.js|CLAUDE_CONFIG_DIR=|CODEX_HOME=|GEMINI_CLI_HOME=|COPILOT_HOME=|keeper\.js|dist/(daemon|keeper)|disableAllHooks|hooks\.enabled|--bare\b`,
      String.raw`\b(pkill|killall|pidof|pgrep)\b.*\bnode|\b(uninstall|remove|rm|un|unlink|r)\b.*\brein\b|rein-(guard|hook|wait)|rein\.cjs|bin/rein\b|(which|command -v|type -[pP]) (-\S+ )*rein`,
    ].join('|'),
    on: 'command',
  },
})

/** What only people do with `rein`, of all that decides what agents may do. */
const personOnly: Readonly<Record<string, readonly string[]>> = {
  rules: ['trust', 'enable', 'disable', 'new'],
  config: ['set', 'unset'],
  setup: [],
  cleanup: [],
  uninstall: [],
  trust: [],
  update: [],
  daemon: ['stop', 'restart', 'rebuild', 'repair'],
  service: ['install', 'remove'],
  answer: [],
  note: ['accept', 'reject'],
  unpause: [],
  channel: ['create', 'remove', 'route', 'token', 'default'],
  task: ['new', 'start', 'pause', 'unpause', 'stop', 'done'],
  team: ['up', 'down'],
  orchestrate: [],
}

/** Agents use these words in what they tell each other. */
const everyday: readonly string[] = ['task', 'team']

const commands = Object.entries(personOnly).map(([group, own]) =>
  own.length === 0 ? group : `${group} (-\\S+ )*(${own.join('|')})`,
)

const runtimes = ['node', 'nodejs', 'bun', 'tsx', 'deno']

/** By its name, or by that of its script: `npx rein`, `node …/rein.cjs`. */
const decides = {
  shell: {
    program: ['rein', 'rein@*', 'rein.cjs', 'cli.cjs', ...runtimes],
    words: String.raw`^((${runtimes.join('|')}) (.* )?)?(\S*/)?(rein(@\S*)?|rein\.cjs|cli\.cjs) (-\S+ )*(${commands.join('|')})( |$)`,
  },
}

/** In doubt a guard would deny every line of made code, so it holds for those that name such a command. */
const namesCommand = {
  regex: {
    pattern: Object.entries(personOnly)
      .map(([group, own]) => (everyday.includes(group) ? String.raw`${group}\W+(${own.join('|')})` : group))
      .map((words) => String.raw`(rein|cli\.cjs)\b.*\b${words}\b`)
      .join('|'),
    flags: 's',
    on: 'command',
  },
}

/**
 * Keeps rules and hooks from the agents that they bind. In a shell a guard looks only at lines that name such a file:
 * in doubt it would deny every `git pull`. What a line does to them without naming them another rule forbids.
 */
export const ownFiles = (places: OwnPlaces): RuleSource => {
  const globs = [...inProject, ...inHomes(places.env ?? {}), ...ownDirectories(places)]
  const touches = { any: [{ shell: { writes: globs } }, { shell: { deletes: globs } }] }
  const names = { regex: { pattern: `${namesPattern(places)}|${ownVariables}`, on: 'command' } }
  const rules = [
    { name: 'rein-own-files', on: ['write', 'edit', 'delete'], files: globs, guard: true, message },
    { name: 'rein-own-files-named', on: 'shell', when: { all: [touches, names] }, guard: true, message },
    { name: 'rein-own-files-touched', on: 'shell', when: { all: [touches, { not: names }] }, message },
    {
      name: 'rein-own-things',
      on: 'shell',
      when: { all: [{ any: handles(places) }, namesThings(places)] },
      guard: true,
      message: notToHandle,
    },
    { name: 'rein-own-commands', on: 'shell', when: { all: [decides, namesCommand] }, guard: true, message: notYours },
    { name: 'rein-own-commands-made', on: 'shell', when: { all: [decides, { not: namesCommand }] }, message: notYours },
  ]
  return { origin: 'built-in', file: 'rein', text: JSON.stringify({ version: 1, rules }), isTrusted: true }
}

/** From the home, where they are below it: a line may name a home in several ways. */
const ownDirectories = ({ state, runtime, config, home }: OwnPlaces): string[] => {
  const rules = path.join(path.dirname(config), 'rules')
  const fromHome = (file: string): string => {
    const relative = path.relative(home, file)
    return relative.startsWith('..') ? file : `~/${relative}`
  }
  return [
    ...[state, runtime, rules].map((directory) => `${escaped(fromHome(directory))}/**`),
    escaped(fromHome(config)),
    '~/.config/systemd/user/rein*',
    '~/Library/LaunchAgents/*rein*',
  ]
}

/** A directory is taken by its name, whatever signs stand in it. */
const escaped = (file: string): string => file.replaceAll(/[*?[\]{}\\!]/g, '\\$&')

const literal = (name: string): string => name.replaceAll(/[^\w-]/g, '\\$&')

/** One of these stands in whatever names such a file. Neither `api.github.com` does, nor `.claude-test` or `.claude/projects`. */
const namesPattern = ({ state, runtime, config }: OwnPlaces): string => {
  const own = [state, runtime, path.dirname(config)].map((directory) => path.basename(directory))
  const known = ['.rein', '.claude', '.codex', '.gemini', '.copilot', '.github', '.opencode', 'opencode']
  return [
    ...known.map((name) => `(^|[^\\w.-]|-\\w)${literal(name)}([^\\w+/-]|/*$|/+([^\\w/]|[${initialsIn(name)}]))`),
    ...[...new Set(own)].map((name) => `/${literal(name)}`),
  ].join('|')
}

/** How the names of protected files begin in a directory of this name. */
const initialsIn = (directory: string): string =>
  [...new Set([...inProject, ...inHomes({})].map((glob) => glob.split(`${directory}/`)[1]?.charAt(0) ?? ''))].join('')
