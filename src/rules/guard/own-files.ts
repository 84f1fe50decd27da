import path from 'node:path'
import type { RuleSource } from '../types.ts'

/** Where things of Rein's own are. */
export interface OwnPlaces {
  state: string
  runtime: string
  /** The user's config.toml; the user's rules are beside it. */
  config: string
  home: string
}

/** What `rein setup` writes to, and where rules and settings are, from the top of a project. */
const inProject = [
  '.rein/rules/**',
  '.rein/config.toml',
  '.rein/opencode/**',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.codex/config.toml',
  '.codex/hooks.json',
  '.gemini/settings.json',
  '.github/hooks/rein.json',
  'opencode.json',
]

const inHome = [
  '~/.claude/settings.json',
  '~/.claude/settings.local.json',
  '~/.codex/config.toml',
  '~/.codex/hooks.json',
  '~/.gemini/settings.json',
  '~/.copilot/hooks/**',
  '~/.config/opencode/opencode.json',
  '~/.config/opencode/rein/**',
]

const message =
  'This is one of the files that rules, or the hooks that keep them, are made of: a person changes it, not an agent. Propose the change in another file, and say where it belongs.'

/**
 * Keeps rules and hooks from the agents that they bind. In a shell a guard looks only at lines that name such a file:
 * in doubt it would deny every `git pull`. What a line does to them without naming them another rule forbids.
 */
export const ownFiles = (places: OwnPlaces): RuleSource => {
  const globs = [...inProject, ...inHome, ...ownDirectories(places)]
  const touches = { any: [{ shell: { writes: globs } }, { shell: { deletes: globs } }] }
  const names = { regex: { pattern: namesPattern(places), on: 'command' } }
  const rules = [
    { name: 'rein-own-files', on: ['write', 'edit', 'delete'], files: globs, guard: true, message },
    { name: 'rein-own-files-named', on: 'shell', when: { all: [touches, names] }, guard: true, message },
    { name: 'rein-own-files-touched', on: 'shell', when: { all: [touches, { not: names }] }, message },
    {
      name: 'rein-own-commands',
      on: 'shell',
      when: {
        shell: { program: 'rein', words: String.raw`^rein (.* )?(rules trust|config set|cleanup|daemon stop)\b` },
      },
      message:
        'This decides what binds agents: a person does it, not an agent. Say what you would like to have changed.',
    },
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
  ]
}

/** A directory is taken by its name, whatever signs stand in it. */
const escaped = (file: string): string => file.replaceAll(/[*?[\]{}\\!]/g, '\\$&')

const literal = (name: string): string => name.replaceAll(/[^\w-]/g, '\\$&')

/** One of these stands in whatever names such a file. Neither `api.github.com` does, nor `.claude-test` or `.claude/projects`. */
const namesPattern = ({ state, runtime, config }: OwnPlaces): string => {
  const own = [state, runtime, path.dirname(config)].map((directory) => path.basename(directory))
  const known = ['.rein', '.claude', '.codex', '.gemini', '.copilot', '.github', 'opencode']
  return [
    ...known.map((name) => `(^|[^\\w.-]|-\\w)${literal(name)}([^\\w+/-]|/*$|/+([^\\w/]|[${initialsIn(name)}]))`),
    ...[...new Set(own)].map((name) => `/${literal(name)}`),
  ].join('|')
}

/** How the names of protected files begin in a directory of this name. */
const initialsIn = (directory: string): string =>
  [...new Set([...inProject, ...inHome].map((glob) => glob.split(`${directory}/`)[1]?.charAt(0) ?? ''))].join('')
