import { describe, expect, test } from 'vitest'
import { shell, subjectOf, worldOf, write } from '../../../test/rules-world.ts'
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
})

const world = worldOf({
  home,
  isThere: (file) => Promise.resolve(!file.endsWith('opencode.json')),
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
  '/p/opencode.json',
  `${home}/.claude/settings.json`,
  `${home}/.local/state/rein/guards`,
  `${home}/.config/rein/rules/mine.yaml`,
  `${home}/.config/rein/config.toml`,
  '/run/user/1000/rein/rein.sock',
]

test.each(own)('%s is not an agent’s to write, edit or delete', async (path) => {
  expect(await said(write(path, 'x'))).toEqual(['rein-own-files block'])
  expect(await said(subjectOf('delete', { kind: 'delete', path }))).toEqual(['rein-own-files block'])
  expect(await said(shell(`rm -f ${path}`))).toHaveLength(1)
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
    ['rm -rf .', 'rein-own-files-touched block'],
    ['rm -rf .*', 'rein-own-files-touched block'],
    ['rm -f .claude/*', 'rein-own-files-named block'],
    ['echo x > .claude/$NAME', 'rein-own-files-named block'],
    ['tar xf x.tar -C.rein', 'rein-own-files-named block'],
    ['rein rules trust', 'rein-own-commands block'],
    ['rein config set rules.enabled false', 'rein-own-commands block'],
  ])('%s: %s', async (command, rule) => {
    expect(await said(shell(command))).toEqual([rule])
  })

  test.each([
    'git pull',
    'git stash && rein ack dir_1',
    'rm -rf build',
    'npm ci',
    'tar xf x.tar',
    'echo "$X"',
    'mv a b',
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
