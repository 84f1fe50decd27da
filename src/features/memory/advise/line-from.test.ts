import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import { ground } from './ground.ts'
import { lineFrom } from './line-from.ts'

/** Two work trees of one repository, one more within the first, another repository, and a link to the second tree. */
const places = () => {
  const root = tempDir()
  const git = (cwd: string, ...args: string[]) => execFileSync('git', ['-C', cwd, ...args], { stdio: 'pipe' })
  const at = (name: string): string => join(root, name)
  for (const name of ['a', 'other']) {
    mkdirSync(at(name))
    git(at(name), 'init', '-q')
  }
  git(at('a'), '-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-q', '--allow-empty', '-m', 'x')
  git(at('a'), 'worktree', 'add', '-q', at('b'))
  git(at('a'), 'worktree', 'add', '-q', at('a/.trees/c'))
  for (const name of ['a/web', 'b/web', 'a/only', 'other/web', 'plain/web']) mkdirSync(at(name), { recursive: true })
  symlinkSync(at('b'), at('link'))
  return { root, from: (cwd: string) => (text: string) => lineFrom(text.replaceAll('/R', root), at(cwd), ground) }
}

test('what was run in one work tree is run in one’s own, and nobody is sent elsewhere', () => {
  const { root, from } = places()
  const cases: [cwd: string, text: string, here: string | null][] = [
    ['b', 'npm test', 'npm test'],
    ['b', 'cd /R/a && npm test', 'npm test'],
    ['b', 'cd "/R/a/" && npm test', 'npm test'],
    ['b', 'cd /R/a/web && npm test', 'cd /R/b/web && npm test'],
    ['b', 'cd /R/a/.trees/c && npm test', 'npm test'],
    ['a', 'cd /R/a/.trees/c && npm test', 'npm test'],
    ['a', 'cd .trees/c && npm test', null],
    ['b', 'cd /R/a/only && npm test', null],
    ['b', 'pytest /R/a/web --root=/R/a', 'pytest /R/b/web --root=/R/b'],
    ['b', 'pytest /R/a/gone.py', null],
    ['b', 'git -C /R/a status', 'git -C /R/b status'],
    ['b', 'cd /R/b && npm test', 'npm test'],
    ['b/web', 'cd /R/b && npm test', 'cd /R/b && npm test'],
    ['b/web', 'cd .. && npm test', 'cd .. && npm test'],
    ['b', 'cd web && npm test', 'cd web && npm test'],
    ['b', 'cd not-there && npm test', null],
    ['b', 'cd .. && npm test', null],
    ['b', 'cd ../a && npm test', null],
    ['b', 'cd /R/other && npm test', null],
    ['b', 'make x; (cd /R/other/web && npm test)', null],
    ['b', 'make -C /R/other x', null],
    ['b', 'cd ~/x && npm test', null],
    ['b', 'cd $X && npm test', null],
    ['b', 'cp /R/other/web x 2>/dev/null', 'cp /R/other/web x 2>/dev/null'],
    ['link', 'cd /R/b && npm test', 'npm test'],
    ['plain', 'cd web && npm test', 'cd web && npm test'],
    ['plain', 'cd /R/a && npm test', null],
  ]
  const found = cases.map(([cwd, text]) => [cwd, text, from(cwd)(text)?.replaceAll(root, '/R') ?? null])
  expect(found).toEqual(cases)
})
