import { describe, expect, test } from 'vitest'
import { shell, subjectOf, usualEntries, worldOf, write } from '../../../test/rules-world.ts'
import { readShell } from '../../shell/read.ts'
import { evaluate } from '../evaluate.ts'
import { loadRules } from '../load.ts'
import { noMemory } from '../memory.ts'
import type { Subject } from '../types.ts'
import { ownFiles } from './own-files.ts'

const home = '/home/ada'
const source = ownFiles({
  state: `${home}/.local/state/rein`,
  runtime: '/run/user/1000/rein',
  config: `${home}/.config/rein/config.toml`,
  home,
  env: { CLAUDE_CONFIG_DIR: '/srv/claude', CODEX_HOME: '/srv/codex', XDG_CONFIG_HOME: '/srv/config' },
})

const world = worldOf({
  home,
  entries: usualEntries('/p'),
  readShell: (command, cwd) => readShell(command, { cwd, home }),
})

const said = async (subject: Subject): Promise<string[]> => {
  const findings = await evaluate(await loadRules([source]), [subject], world, noMemory)
  return findings.map(({ rule, action }) => `${rule.rule.name} ${action}`)
}

test('its rules are right', async () => {
  const { problems, rules } = await loadRules([source])
  expect(problems).toEqual([])
  expect(rules.map(({ origin }) => origin)).toEqual(rules.map(() => 'built-in'))
})

const own = [
  '/p/.rein/rules/team.yaml',
  '/p/.claude/settings.json',
  '/p/.codex/config.toml',
  '/p/.gemini/settings.json',
  '/p/.github/hooks/rein.json',
  '/p/.github/hooks/other.json',
  '/p/opencode.json',
  '/p/opencode.jsonc',
  '/p/.opencode/plugin/a.js',
  '/p/sub/.rein/rules/team.yaml',
  '/p/.claude/worktrees/x/.rein/rules/team.yaml',
  '/srv/claude/settings.json',
  '/srv/codex/config.toml',
  '/srv/config/opencode/opencode.json',
  `${home}/.copilot/config.json`,
  `${home}/.claude/settings.json`,
  `${home}/.local/state/rein/guards`,
  `${home}/.config/rein/rules/mine.yaml`,
  `${home}/.config/rein/config.toml`,
  '/run/user/1000/rein/rein.sock',
]

test.each(own)('%s is not an agent’s to write, edit or delete', async (path) => {
  expect(await said(write(path, 'x'))).toEqual(['rein-own-files block'])
  expect(await said(subjectOf('delete', { kind: 'delete', path }))).toEqual(['rein-own-files block'])
  expect((await said(shell(`rm -f ${path}`))).length).toBeGreaterThan(0)
})

test('reading them is fine, and so is everything else', async () => {
  expect(await said(subjectOf('read', { kind: 'read', path: '/p/.rein/rules/team.yaml' }))).toEqual([])
  expect(await said(shell('cat .rein/rules/team.yaml'))).toEqual([])
  expect(await said(write('/p/.rein/notes/a.md', 'x'))).toEqual([])
  expect(await said(write('/p/.claude/CLAUDE.md', 'x'))).toEqual([])
})

describe('in a shell', () => {
  test.each([
    ['echo x > .rein/rules/a.yaml', 'rein-own-files-named block'],
    ['cd .rein && rm -rf rules', 'rein-own-files-named block'],
    ['tar xf x.tar -C .rein', 'rein-own-files-named block'],
    ['git restore -s HEAD~1 .rein', 'rein-own-files-named block'],
    ['git checkout HEAD~1 -- .rein', 'rein-own-files-named block'],
    ['cp -r /tmp/evil/.rein .', 'rein-own-files-named block'],
    ['cp -rT /tmp/evil .rein', 'rein-own-files-named block'],
    ['rsync -a /tmp/evil/ .rein', 'rein-own-files-named block'],
    ["rename 's/y/z/' .rein/rules/t.yaml", 'rein-own-files-named block'],
    ['chmod 000 .rein', 'rein-own-files-named block'],
    ['git restore -s HEAD~1 .', 'rein-own-files-touched block'],
    ['rm -rf .', 'rein-own-files-touched block'],
    ['rm -rf .*', 'rein-own-files-touched block'],
    ['rm -f .claude/*', 'rein-own-files-named block'],
    ['echo x > .claude/$NAME', 'rein-own-files-named block'],
    ['tar xf x.tar -C.rein', 'rein-own-files-named block'],
    ['rein rules trust', 'rein-own-commands block'],
    ['rein trust . --yes', 'rein-own-commands block'],
    ['rein config set rules.enabled false', 'rein-own-commands block'],
    ['setsid -f rein rules disable safe-shell', 'rein-own-commands block'],
    ['rein rules --project enable safe-shell', 'rein-own-commands block'],
    ['rein rules new mine', 'rein-own-commands block'],
    ['rein answer ada allow', 'rein-own-commands block'],
    ['rein note accept note_1', 'rein-own-commands block'],
    ['rein setup', 'rein-own-commands block'],
    ['rein cleanup --global', 'rein-own-commands block'],
    ['rein daemon restart', 'rein-own-commands block'],
    ['rein daemon stop', 'rein-own-commands block'],
    ['env -u REIN_TOKEN rein unpause ada', 'rein-own-commands block'],
    ['env -u REIN_TOKEN rein task done parser --force', 'rein-own-commands block'],
    ['rein orchestrate parser --agents 50', 'rein-own-commands block'],
    ['rein team down', 'rein-own-commands block'],
    ['npx rein rules trust --yes', 'rein-own-commands block'],
    ['npx -y rein@latest rules trust --yes', 'rein-own-commands block'],
    ['node /usr/lib/node_modules/rein/bin/rein.cjs rules trust --yes', 'rein-own-commands block'],
    ['node --no-warnings ./dist/cli.cjs config set rules.enabled false', 'rein-own-commands block'],
    ['/opt/rein/bin/rein.cjs cleanup', 'rein-own-commands block'],
    ['rein rules "$X" safe-shell; eval "$Y"', 'rein-own-commands block'],
    ['r""ein rules disable safe-shell', 'rein-own-commands-made block'],
  ])('%s: %s', async (command, rule) => {
    expect(await said(shell(command))).toContain(rule)
  })

  test.each([
    'git pull',
    'git stash && rein ack dir_1',
    'rm -rf build',
    'npm ci',
    'tar xf x.tar',
    'echo "$X"',
    'eval "$X"',
    'mv a b',
    'rein rules list',
    'rein task show parser && rein team status',
    'rein msg progress "my part of the task is done, $(date)"; eval "$X"',
    'rein rules explain rein rules trust',
    'rein tell bob "please answer"',
    'rein config get rules.packs',
    'rein daemon start',
    'rein note add "how to set up"',
    'node scripts/new.js rules new',
    'cp a.ts src',
    'cp -r a src',
    'git restore .',
    'git checkout -- .',
    'git restore src',
    'eslint --fix .',
    "find . -name '*.pyc' -delete",
    'rm *',
    'rm .*',
    'chmod 644 *',
    'rm -f *.json',
    'sed -i s/a/b/ *.json',
    'npx prettier --write "*.json"',
    'cp config/* .',
    'mv * ../x/',
    'curl -o "$OUT" https://api.github.com/x',
    'echo x > .claude-test/$NAME',
    'echo x > ~/.claude/projects/$ID.jsonl',
  ])('%s is nobody’s business', async (command) => {
    expect(await said(shell(command))).toEqual([])
  })
})
