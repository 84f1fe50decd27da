import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { now, tempDir } from '../../test/builders.ts'
import { handlePattern } from '../contract/handle.ts'
import { normalizeRemote, projectOf } from './project.ts'

afterEach(() => void vi.unstubAllEnvs())

const git = (cwd: string, ...args: string[]): void => {
  const identity = ['-c', 'user.name=dev', '-c', 'user.email=dev@example.org', '-c', 'init.defaultBranch=main']
  execFileSync('git', ['-C', cwd, ...identity, ...args], { stdio: 'ignore' })
}
const repository = (remote?: string): string => {
  const dir = join(tempDir(), 'shop')
  mkdirSync(dir)
  git(dir, 'init')
  git(dir, 'commit', '--allow-empty', '-m', 'first')
  if (remote !== undefined) git(dir, 'remote', 'add', 'origin', remote)
  return dir
}

test('one address whatever way it is written', () => {
  const written = [
    'git@github.com:Acme/shop.git',
    'ssh://git@github.com/acme/shop.git',
    'https://github.com/acme/shop',
    'https://user:secret@github.com/acme/shop.git/',
    'git+ssh://git@github.com/acme/shop.git',
    ' https://GitHub.com/acme/shop \n',
  ]
  expect(new Set(written.map(normalizeRemote))).toEqual(new Set(['github.com/acme/shop']))
  expect(normalizeRemote('ssh://git@host:2222/acme/shop')).toBe('host:2222/acme/shop')
  expect(normalizeRemote('/srv/git/shop.git')).toBe('/srv/git/shop')
})

test('a clone, a work tree and a directory inside are the same project; another remote is another', async () => {
  const dir = repository('https://github.com/acme/shop.git')
  const [clone, tree] = [join(tempDir(), 'elsewhere'), join(tempDir(), 'tree')]
  git(dir, 'clone', dir, clone)
  git(clone, 'remote', 'set-url', 'origin', 'git@github.com:acme/shop.git')
  git(dir, 'worktree', 'add', tree)
  mkdirSync(join(dir, 'src'))
  const project = await projectOf(dir, now)
  expect(project).toMatch(/^shop-[0-9a-f]{6}$/)
  for (const place of [clone, tree, join(dir, 'src')]) expect(await projectOf(place, now)).toBe(project)
  git(clone, 'remote', 'set-url', 'origin', 'git@github.com:other/shop.git')
  expect(await projectOf(clone, now + 31_000)).not.toBe(project)
})

test('what is read is believed for half a minute', async () => {
  const dir = repository('https://github.com/acme/shop.git')
  const project = await projectOf(dir, now)
  git(dir, 'remote', 'set-url', 'origin', 'https://github.com/acme/other.git')
  expect(await projectOf(dir, now + 29_000)).toBe(project)
})

test('without a remote, without a commit, without git: its real place', async () => {
  const [one, two] = [repository(), repository()]
  expect(await projectOf(one, now)).not.toBe(await projectOf(two, now))
  const empty = join(tempDir(), 'Empty Place')
  mkdirSync(empty)
  git(empty, 'init')
  expect(await projectOf(empty, now)).toMatch(/^empty-place-/)
  const dir = tempDir()
  const [plain, link] = [join(dir, 'Plain Place'), join(dir, 'link')]
  mkdirSync(plain)
  symlinkSync(plain, link)
  expect(await projectOf(link, now)).toBe(await projectOf(plain, now))
})

test.each(['Größe & "Preis"\n$(x)', 'Übung', '-v', '日本語', '_'])(
  'a directory called %j: its project can be typed',
  async (name) => {
    const dir = join(tempDir(), name)
    mkdirSync(dir)
    expect(await projectOf(dir, now)).toMatch(handlePattern)
  },
)

test('a secret in the name of a directory is not in that of its project', async () => {
  const dir = join(tempDir(), `tok-ghp_${'a1B2c3D4e5F6'.repeat(3)}`)
  mkdirSync(dir)
  expect(await projectOf(dir, now)).toMatch(/^tok--redacted-github--[0-9a-f]{6}$/)
})

test('variables of a git hook do not lead it to another repository', async () => {
  const [dir, other] = [repository('https://github.com/acme/shop.git'), repository('https://github.com/acme/hook.git')]
  vi.stubEnv('GIT_DIR', join(other, '.git'))
  expect(await projectOf(dir, now)).toMatch(/^shop-/)
  expect(await projectOf(dir, now)).not.toBe(await projectOf(other, now))
})

test('a directory that is not there', async () => {
  await expect(projectOf('/no/such/place', now)).rejects.toEqual(expect.objectContaining({ code: 'not_found' }))
})
