import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { anAgent, now, tempDir } from '../../../test/support/builders.ts'
import { startLog } from '../../../test/support/in-process-log.ts'
import { handlePattern } from '../../contract/handle.ts'
import { openDatabase } from '../../base/store/sqlite.ts'
import { normalizeRemote } from './place-facts.ts'
import { Projects } from './projects.ts'

afterEach(() => void vi.unstubAllEnvs())

const git = (cwd: string, ...args: string[]): void => {
  const identity = ['-c', 'user.name=dev', '-c', 'user.email=dev@example.org', '-c', 'init.defaultBranch=main']
  execFileSync('git', ['-C', cwd, ...identity, ...args], { stdio: 'ignore' })
}
let commits = 0
const commit = (dir: string): void => git(dir, 'commit', '--allow-empty', '-m', `change ${++commits}`)
const place = (name = 'shop'): string => {
  const dir = join(tempDir(), name)
  mkdirSync(dir)
  return dir
}
const repository = (remote?: string): string => {
  const dir = place()
  git(dir, 'init')
  commit(dir)
  if (remote !== undefined) git(dir, 'remote', 'add', 'origin', remote)
  return dir
}

/** `open` is another daemon with the same database; each `of` is a look of its own, later than the last. */
const start = () => {
  const { log, writer, path } = startLog()
  let clock = now
  let ids = 0
  const open = (agents: ConstructorParameters<typeof Projects>[0]['agents'] = []): Projects =>
    new Projects({
      reader: openDatabase(path, { readOnly: true }),
      append: (records) => log.append(records),
      agents,
      now: () => clock,
      newId: (prefix) => `${prefix}_${++ids}`,
      onTrouble: (cause) => {
        throw cause
      },
    })
  let projects = open()
  const of = (cwd: string): Promise<string> => {
    clock += 31_000
    return projects.of(cwd)
  }
  const restart = (...given: Parameters<typeof open>): void => void (projects = open(...given))
  const rebuild = (): void => void writer.write([{ kind: 'rebuild' }])
  return {
    of,
    restart,
    rebuild,
    passes: (ms: number) => (clock += ms),
    now: (cwd: string) => projects.of(cwd),
    seen: (cwd: string) => projects.seen(cwd),
  }
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
  const { of } = start()
  const dir = repository('https://github.com/acme/shop.git')
  const [clone, tree, fork] = [join(tempDir(), 'elsewhere'), join(tempDir(), 'tree'), join(tempDir(), 'fork')]
  git(dir, 'clone', dir, clone)
  git(clone, 'remote', 'set-url', 'origin', 'git@github.com:acme/shop.git')
  git(dir, 'clone', dir, fork)
  git(fork, 'remote', 'set-url', 'origin', 'git@github.com:other/shop.git')
  git(dir, 'worktree', 'add', tree)
  mkdirSync(join(dir, 'src'))
  const project = await of(dir)
  expect(project).toMatch(/^shop-[0-9a-f]{6}$/)
  for (const one of [clone, tree, join(dir, 'src')]) expect(await of(one)).toBe(project)
  expect(await of(fork)).not.toBe(project)
})

test('what is read is believed for half a minute', async () => {
  const projects = start()
  const dir = place()
  const project = await projects.now(dir)
  rmSync(dir, { recursive: true })
  projects.passes(29_000)
  expect(await projects.now(dir)).toBe(project)
  projects.passes(2_000)
  await expect(projects.now(dir)).rejects.toEqual(expect.objectContaining({ code: 'not_found' }))
})

test('without a remote, without a commit, without git: its real place', async () => {
  const { of } = start()
  expect(await of(repository())).not.toBe(await of(repository()))
  const empty = place('Empty Place')
  git(empty, 'init')
  expect(await of(empty)).toMatch(/^empty-place-/)
  const dir = tempDir()
  const [plain, link] = [join(dir, 'Plain Place'), join(dir, 'link')]
  mkdirSync(plain)
  symlinkSync(plain, link)
  expect(await of(link)).toBe(await of(plain))
})

test.each(['Größe & "Preis"\n$(x)', 'Übung', '-v', '日本語', '_'])(
  'a directory called %j: its project can be typed',
  async (name) => {
    expect(await start().of(place(name))).toMatch(handlePattern)
  },
)

test('a secret in the name of a directory is not in that of its project', async () => {
  const dir = place(`tok-ghp_${'a1B2c3D4e5F6'.repeat(3)}`)
  expect(await start().of(dir)).toMatch(/^tok--redacted-github--[0-9a-f]{6}$/)
})

test('variables of a git hook do not lead it to another repository', async () => {
  const { of } = start()
  const [dir, other] = [repository('https://github.com/acme/shop.git'), repository('https://github.com/acme/hook.git')]
  vi.stubEnv('GIT_DIR', join(other, '.git'))
  expect(await of(dir)).toMatch(/^shop-/)
  expect(await of(dir)).not.toBe(await of(other))
})

const steps = ['init', 'commit', 'add', 'change', 'remove', 'restart', 'rebuild', 'clone', 'worktree', 'move'] as const

/** One step in the life of a directory; where it is afterwards, and where else its project is. */
const take = (step: (typeof steps)[number], dir: string, has: { commit: boolean; remote: boolean }): string[] => {
  const other = join(tempDir(), 'other')
  const remote = `https://example.org/acme/shop-${++commits}.git`
  if (step === 'init') git(dir, 'init')
  if (step === 'commit') commit(dir)
  if (step === 'add' && !has.remote) git(dir, 'remote', 'add', 'origin', remote)
  if (step === 'change' && has.remote) git(dir, 'remote', 'set-url', 'origin', remote)
  if (step === 'remove' && has.remote) git(dir, 'remote', 'remove', 'origin')
  if (step === 'worktree' && has.commit) git(dir, 'worktree', 'add', other)
  // With a remote, a clone is the same project when it has that, too.
  if (step === 'clone' && has.commit && !has.remote) git(dir, 'clone', dir, other)
  if (step === 'move' && (has.commit || has.remote)) renameSync(dir, other)
  if (step === 'move' && (has.commit || has.remote)) return [other]
  return (step === 'worktree' && has.commit) || (step === 'clone' && has.commit && !has.remote) ? [dir, other] : [dir]
}

test('a directory keeps its name, whatever becomes of its repository', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 8 }), async (life) => {
      const { of, restart, rebuild } = start()
      let dir = place()
      const project = await of(dir)
      const has = { repository: false, commit: false, remote: false }
      for (const step of life) {
        if (step === 'restart') restart()
        if (step === 'rebuild') rebuild()
        if (step === 'init') has.repository = true
        if (!has.repository) continue
        const places = take(step, dir, has)
        dir = places[0] ?? dir
        has.commit ||= step === 'commit'
        has.remote = (has.remote || step === 'add') && step !== 'remove'
        for (const one of places) expect(await of(one)).toBe(project)
      }
    }),
    { numRuns: 25 },
  )
})

test('two looks at once, also at two clones, give one name', async () => {
  const projects = start()
  const dir = repository('https://github.com/acme/shop.git')
  const clone = join(tempDir(), 'clone')
  git(dir, 'clone', dir, clone)
  git(clone, 'remote', 'set-url', 'origin', 'git@github.com:acme/shop.git')
  const tree = join(dir, 'src')
  mkdirSync(tree)
  const names = await Promise.all([dir, clone, tree, dir].map((one) => projects.now(one)))
  expect(new Set(names).size).toBe(1)
})

test('to look for the project of a directory keeps no name for it', async () => {
  const { of, seen, restart } = start()
  const dir = repository('https://github.com/acme/shop.git')
  mkdirSync(join(dir, 'src'))
  expect(await seen(dir)).toBeNull()
  expect(await seen(dir)).toBeNull()
  const project = await of(join(dir, 'src'))
  restart()
  expect(await seen(dir)).toBe(project)
  expect(await seen(place('other'))).toBeNull()
})

test('two that share the first commit of a template stay two, whichever remotes they get', async () => {
  const { of } = start()
  const template = repository()
  const [one, two] = [join(tempDir(), 'one'), join(tempDir(), 'two')]
  for (const [dir, name] of [
    [one, 'one'],
    [two, 'two'],
  ] as const) {
    git(template, 'clone', template, dir)
    git(dir, 'remote', 'set-url', 'origin', `https://github.com/acme/${name}.git`)
  }
  const names = [await of(one), await of(two)]
  expect(new Set(names).size).toBe(2)
  git(two, 'remote', 'set-url', 'origin', 'https://github.com/acme/one.git')
  expect([await of(one), await of(two)]).toEqual(names)
})

test('a place that a project has left is free for another one', async () => {
  const { of } = start()
  const dir = repository()
  const project = await of(dir)
  const moved = join(tempDir(), 'moved')
  renameSync(dir, moved)
  expect(await of(moved)).toBe(project)
  mkdirSync(dir)
  expect(await of(dir)).not.toBe(project)
})

test('another repository in the same place is another project', async () => {
  const { of } = start()
  const dir = repository('https://github.com/acme/shop.git')
  const project = await of(dir)
  rmSync(dir, { recursive: true })
  renameSync(repository('https://github.com/acme/other.git'), dir)
  const other = await of(dir)
  expect(other).toMatch(/^other-/)
  expect([await of(dir), other]).not.toContain(project)
})

test('projects of an older Rein keep the name of their newest agent', async () => {
  const { of, restart } = start()
  const dir = repository()
  const tree = join(dir, 'src')
  mkdirSync(tree)
  restart([
    anAgent({ cwd: dir, project: 'shop-000001', createdAt: now - 2 }),
    anAgent({ cwd: tree, project: 'shop-000002', createdAt: now - 1 }),
    anAgent({ cwd: '/no/such/place', project: 'gone-000003', createdAt: now }),
  ])
  expect(await of(dir)).toBe('shop-000002')
  git(dir, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git')
  restart([anAgent({ cwd: dir, project: 'shop-000004', createdAt: now })])
  expect(await of(dir)).toBe('shop-000002')
})
