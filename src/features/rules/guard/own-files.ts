import path from 'node:path'
import type { RuleSource } from '../types.ts'
import { otherThan } from './other-than.ts'
import { decides, namesCommand } from './own-commands.ts'
import {
  agentDirectories,
  escapedGlob,
  handles,
  literal,
  namesThings,
  namesToken,
  ownVariables,
  projectHandles,
  readsToken,
} from './own-things.ts'

/** Where things of Rein's own are. */
interface OwnPlaces {
  state: string
  runtime: string
  /** The user's config.toml; the user's rules are beside it. */
  config: string
  home: string
  /** CLIs look for their settings where it says. */
  env?: NodeJS.ProcessEnv
}

/** The files of `rein setup`, rules and settings, from the top of a project. */
const inProject = [
  '.claude/settings*.json',
  '.codex/config.toml',
  '.codex/hooks.json',
  '.codex/hooks/**',
  '.gemini/settings*.json',
  '.gemini/hooks/**',
  '.github/hooks/*.json',
  '.github/copilot/**',
  '.cursor/hooks.json',
  '.cursor/hooks/**',
  'opencode.json',
  'opencode.jsonc',
  '.opencode/opencode.json',
  '.opencode/opencode.jsonc',
  '.opencode/plugin/**',
  '.opencode/plugins/**',
]

/** All that is below `.rein/`, there or not, but for what agents write themselves; a second `.rein/` below that has no exceptions. */
const belowRein = ['.rein/*/**', `!.rein/{${agentDirectories.join(',')}}/**`, '.rein/**/.rein/*/**'].flatMap((glob) =>
  ['', '**/', '~/**/'].map((from) => glob.replace(/^!?/, (out) => `${out}${from}`)),
)

const programNames = '{rein-hook,rein-guard,rein-wait,rein.cjs}'

/** Programs that people and hooks start. A project may have files of these names: those are only sources. */
const programs = [`/**/${programNames}`, `!**/${programNames}`, `~/{bin,.local/bin}/${programNames}`]

/** The files that CLIs read in their own directories: the variable that names one, its default, and the files. */
const ofUser: readonly (readonly [string, string, readonly string[]])[] = [
  ['CLAUDE_CONFIG_DIR', '~/.claude', ['settings*.json', 'hooks/**']],
  ['CODEX_HOME', '~/.codex', ['config.toml', 'hooks.json', 'hooks/**']],
  ['GEMINI_CLI_HOME', '~', ['.gemini/settings*.json', '.gemini/hooks/**', '.gemini/extensions/**']],
  ['CURSOR_CONFIG_DIR', '~/.cursor', ['hooks.json', 'hooks/**', 'cli-config.json']],
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
    const directories = path.isAbsolute(moved) ? [usual, escapedGlob(path.resolve(moved))] : [usual]
    return directories.flatMap((directory) => files.map((file) => `${directory}/${file}`))
  })

/** The settings of an administrator. */
const managed = ['/etc/{claude-code,codex,gemini-cli,opencode}/**', '/Library/Application Support/ClaudeCode/**']

const message =
  'This is one of the files that rules, or the hooks that keep them, are made of: a person changes it, not an agent. Propose the change in another file, and say where it belongs.'

const handled =
  '`{{ $program }}` is given what rules are made of, and nobody can tell what it does with it. Read it by `cat` or `grep`; a person changes it.'

const notYours =
  'This decides what binds agents, or is no command that they have: a person does it, not an agent. Say what you would like to have changed; `rein --help` lists the commands.'

const notToHandle =
  'This is what Rein keeps its rules by: its files, its socket, its process or the variables that lead to them. Leave it as it is, and say what you would like to have changed.'

const secret =
  "This reads the daemon's token, by which Rein tells people from others. Look at the other files there by their names; `rein` itself needs no token."

/**
 * Keeps rules and hooks from the agents that they bind. In a shell a guard looks only at lines that name such a file:
 * in doubt it would deny every `git pull`. What a line does to them without naming them another rule forbids.
 */
export const ownFiles = (places: OwnPlaces): RuleSource => {
  const settings = [...inProject, ...inHomes(places.env ?? {}), '~/.claude.json', ...managed]
  // What takes out comes first, so that it takes back nothing of the others.
  const globs = [...programs, ...belowRein, ...settings, ...ownDirectories(places)]
  const touches = { any: [{ shell: { writes: globs } }, { shell: { deletes: globs } }] }
  const names = { regex: { pattern: `${namesPattern(places)}|${ownVariables}`, on: 'command' } }
  const rules = [
    { name: 'rein-own-files', on: ['write', 'edit', 'delete'], files: globs, guard: true, message },
    { name: 'rein-own-files-named', on: 'shell', when: { all: [names, touches] }, guard: true, message },
    { name: 'rein-own-files-touched', on: 'shell', when: { all: [touches, { not: names }] }, message },
    {
      name: 'rein-own-things',
      on: 'shell',
      when: { all: [namesThings(places), { any: handles(places) }] },
      guard: true,
      message: notToHandle,
    },
    {
      name: 'rein-own-things-made',
      on: 'shell',
      when: { all: [{ any: handles(places) }, { not: namesThings(places) }] },
      message: notToHandle,
    },
    {
      name: 'rein-own-token',
      on: 'shell',
      when: { all: [namesToken, readsToken(places)] },
      guard: true,
      message: secret,
    },
    {
      name: 'rein-own-token-read',
      on: 'shell',
      when: { all: [readsToken(places), { not: namesToken }] },
      message: secret,
    },
    { name: 'rein-own-files-handled', on: 'shell', when: { any: projectHandles }, action: 'ask', message: handled },
    { name: 'rein-own-commands', on: 'shell', when: { all: [namesCommand, decides] }, guard: true, message: notYours },
    { name: 'rein-own-commands-made', on: 'shell', when: { all: [decides, { not: namesCommand }] }, message: notYours },
  ]
  return { origin: 'built-in', file: 'rein', text: JSON.stringify({ version: 1, rules }), isTrusted: true }
}

/** From the home, where they are below it: a line may name a home in several ways. */
const ownDirectories = ({ state, runtime, config, home }: OwnPlaces): string[] => {
  const fromHome = (file: string): string => {
    const relative = path.relative(home, file)
    return relative.startsWith('..') ? file : `~/${relative}`
  }
  return [
    ...[state, runtime, path.dirname(config)].map((directory) => `${escapedGlob(fromHome(directory))}/**`),
    // Where they are unless a variable says otherwise.
    ...['~/.config', '~/.local/state', '~/.local/share', '~/.cache'].map((directory) => `${directory}/rein/**`),
    '~/.config/systemd/user/rein*/**',
    '~/Library/LaunchAgents/*rein*',
    // By these files a service is ended or stopped.
    '/sys/fs/cgroup/**/*rein*/**',
  ]
}

/** One of these stands in whatever names such a file. Neither `api.github.com` does, nor `.claude-test` or `.claude/projects`. */
const namesPattern = ({ state, runtime, config }: OwnPlaces): string => {
  const files = [...inProject, ...inHomes({})]
  // How the names of protected files begin in a directory of this name.
  const initialsIn = (directory: string): string =>
    [...new Set(files.map((glob) => glob.split(`${directory}/`)[1]?.charAt(0) ?? ''))].join('')
  const own = [state, runtime, path.dirname(config)].map((directory) => path.basename(directory))
  const known = ['.claude', '.codex', '.gemini', '.copilot', '.cursor', '.github', '.opencode', 'opencode']
  return [
    `(^|[^\\w.-]|-\\w)\\.rein([^\\w+/-]|/*$|/+([^\\w/]|${otherThan(agentDirectories, String.raw`/\s"'`, '/')}))`,
    String.raw`\.claude\.json|rein-(hook|guard|wait)`,
    ...known.map((name) => `(^|[^\\w.-]|-\\w)${literal(name)}([^\\w+/-]|/*$|/+([^\\w/]|[${initialsIn(name)}]))`),
    ...[...new Set(own)].map((name) => `/${literal(name)}`),
  ].join('|')
}
