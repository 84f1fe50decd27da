import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCall, agentRef, anAgent, now } from '../../../test/support/builders.ts'
import type { HookCall, HookReply, ToolCall } from '../../contract/hooks.ts'
import type { Lease } from '../../contract/lease.ts'
import type { RecordBody } from '../../contract/record.ts'
import { findDriver } from '../../drivers/registry.ts'
import { explainCall, runPipeline } from '../../agents/hooks/pipeline.ts'
import { GitLook } from '../rules/git.ts'
import { lookedUpFrom } from '../rules/world.ts'
import { readShell } from '../../base/shell/read.ts'
import { LeaseResponder } from './responder.ts'

let root = ''
let beside = ''

const git = (...args: string[]): void => {
  const person = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org']
  execFileSync('git', ['-C', root, ...person, ...args], { env: { PATH: process.env['PATH'] }, stdio: 'ignore' })
}

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'rein-unit-')))
  beside = `${root}/trees/other`
  mkdirSync(join(root, 'src/parser'), { recursive: true })
  for (const file of ['src/parser/a.ts', 'src/b.ts', 'free.ts']) writeFileSync(join(root, file), 'old\n')
  symlinkSync('src/parser', join(root, 'link'))
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'Begin')
  git('worktree', 'add', '--quiet', '-b', 'other', beside)
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

const ada = { ...agentRef, id: 'agt_ada', handle: 'ada' }

const aLease = (given: Partial<Lease> = {}): Lease => ({
  id: 'lease_1',
  project: agentRef.project,
  root,
  glob: 'src/parser',
  mode: 'exclusive',
  holder: ada,
  why: 'the parser',
  at: now,
  until: now + 30 * 60_000,
  ...given,
})

const deskOf = (leases: Lease[]) => {
  const records: RecordBody<'lease.denied'>[] = []
  const desk = new LeaseResponder({
    agent: () => anAgent({ cwd: root }),
    driver: findDriver,
    held: () => leases,
    readShell: (command, cwd, home) => readShell(command, { cwd, home }),
    home: () => '/home/nobody',
    rootBeside: (top, file) => new GitLook(() => now).rootBeside(top, file),
    record: (body) => void records.push(body),
    now: () => now,
    deadlineMs: 3000,
  })
  const say = (call: HookCall): Promise<HookReply> => runPipeline([desk.responder], call, () => undefined)
  return { desk, say, records }
}

const calling = (tool: ToolCall, given: Partial<HookCall> = {}): HookCall =>
  aCall({ event: 'before_tool', native: 'PreToolUse', cwd: root, tools: [tool], ...given })
const bash = (command: string, id = 't1'): HookCall => calling({ id, name: 'Bash', input: { command } })
const write = (file: string): HookCall =>
  calling({ id: 't1', name: 'Write', input: { file_path: file, content: 'new' } })
const patch = (...lines: string[]): HookCall =>
  calling(
    { id: 't1', name: 'apply_patch', input: { command: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') } },
    { driver: 'codex' },
  )

const kindOf = async (call: HookCall, leases = [aLease()]): Promise<string | undefined> =>
  (await deskOf(leases).say(call)).opinions?.[0]?.kind

describe('a change of what somebody else holds', () => {
  test('is denied with who holds it, for what, until when and what to do; that is written down once', async () => {
    const { say, records } = deskOf([aLease()])
    const { decision, opinions } = await say(write(join(root, 'src/parser/a.ts')))
    expect(opinions).toMatchObject([{ by: 'lease ada', kind: 'deny' }])
    expect(decision?.reason).toContain(
      `ada holds src/parser (exclusive) for "the parser" until 2027-01-15T08:30:00Z (in 30 minutes). It was not run. Ask ada: rein tell ada TEXT`,
    )
    await say({ ...write(join(root, 'src/parser/a.ts')), event: 'permission' })
    expect(records).toEqual([{ lease: 'lease_1', path: join(root, 'src/parser/a.ts'), tool: 'Write' }])
  })

  test.each([
    'echo x > src/parser/a.ts',
    'echo x >> link/a.ts',
    'cd src && tee parser/new.ts < /dev/null',
    "sed -i 's/old/new/' src/parser/a.ts",
    'mv src/parser/a.ts free2.ts',
    'mv free.ts src/parser/',
    'mv src gone',
    'rm -rf src',
    'rm src/*/a.ts',
    `bash -c 'rm src/parser/a.ts'`,
    'cp -r . src/parser',
    'git checkout .',
    'git checkout src/parser/a.ts',
    'git checkout HEAD src',
    'cd docs && git reset --hard',
    'git stash',
    'git stash -u -- src',
    'git clean -fd',
    'git checkout -f other',
    'git checkout -f -- src/parser/a.ts',
    'git checkout --force HEAD -- src',
    'git checkout -f other --',
    'git stash push --',
    'git -C src switch --discard-changes other',
    'prettier --write .',
    "find src -type f -exec sed -i 's/old/new/' {} +",
    "gawk -i inplace '{ print }' src/parser/a.ts",
    'rm -rf ~/../..',
    'tee ./src/../src//parser/a.ts',
    'ln -sf ../../free.ts src/parser/a.ts',
    "python3 -c \"open('src/parser/a.ts', 'w')\"",
    'rm -rf s*',
  ])('by a shell: %s', async (command) => {
    expect(await kindOf(bash(command))).toBe('deny')
  })

  test('by a patch, whichever of its files it is', async () => {
    expect(await kindOf(patch('*** Update File: free.ts', '@@', '-old', '+new'))).toBeUndefined()
    const both = patch('*** Add File: x.ts', '+x', '*** Update File: src/parser/a.ts', '@@', '-old', '+new')
    expect(await kindOf(both)).toBe('deny')
    expect(await kindOf(patch('*** Update File: free.ts', '*** Move to: src/parser/b.ts', '@@', '-old', '+new'))).toBe(
      'deny',
    )
    expect(await kindOf(patch('*** Whatever: free.ts'))).toBe('deny')
  })

  test('with all of a directory, by globs that name no directory, too', async () => {
    const leases = [aLease({ glob: '**/a.ts' })]
    expect(await kindOf(bash('rm -rf src/parser'), leases)).toBe('deny')
    expect(await kindOf(bash('rm -rf src/nothing'), leases)).toBeUndefined()
  })
})

test.each([
  ['another file', 'echo x > src/b.ts'],
  ['only reading', 'cat src/parser/a.ts > free2.ts'],
  ['a file of another name that begins alike', 'echo x > src/parser.ts'],
  ['rm without -r leaves directories alone', 'rm src'],
  ['a new branch', 'git checkout -b topic'],
  ['giving up another file', 'git checkout -- free.ts'],
  ['giving up another file by force', 'git checkout -f -- free.ts'],
  ['putting another file aside', 'git stash push -- free.ts'],
  ['a copy beside it', 'cp free.ts src'],
  ['a formatter elsewhere', 'prettier --write docs'],
  ['a commit', 'git add -A && git commit -m x'],
])('%s is nobody’s business: %s', async (_, command) => {
  expect(await kindOf(bash(command))).toBeUndefined()
})

test('the same path in another work tree is another file', async () => {
  const file = join(beside, 'src/parser/a.ts')
  expect(await kindOf(write(file), [aLease({ glob: '**' })])).toBeUndefined()
  expect(await kindOf(write(file), [aLease({ root: beside })])).toBe('deny')
  const reset = bash(`git -C ${beside} reset --hard`)
  expect(await kindOf(reset, [aLease()])).not.toBe('deny')
  expect(await kindOf(reset, [aLease({ root: beside })])).toBe('deny')
})

test.each(['rm -rf trees/other', 'rm -rf trees', 'mv trees/* /tmp', 'git worktree remove trees/other'])(
  'a work tree goes with its directory: %s',
  async (command) => {
    expect(await kindOf(bash(command), [aLease({ root: beside })])).toBe('deny')
    expect(await kindOf(bash(command), [aLease({ holder: agentRef, root: beside })])).toBeUndefined()
  },
)

test('one’s own and shared leases stand in nobody’s way; that of a person does', async () => {
  const file = join(root, 'src/parser/a.ts')
  expect(await kindOf(write(file), [aLease({ holder: agentRef })])).toBeUndefined()
  expect(await kindOf(write(file), [aLease({ mode: 'shared' })])).toBeUndefined()
  const { decision } = await deskOf([aLease({ holder: null })]).say(write(file))
  expect(decision?.reason).toContain('Ask the user')
})

test('what nobody can tell is a warning, which the model hears after the call', async () => {
  const { say, desk, records } = deskOf([aLease()])
  const call = bash('rm -rf "$SOMEWHERE"')
  expect((await say(call)).opinions).toMatchObject([{ by: 'lease ada', kind: 'warn' }])
  const after = await say({ ...call, event: 'after_tool' })
  expect(after.context).toMatchObject([{ from: 'leases', text: expect.stringContaining('src/parser (ada)') }])
  expect((await explainCall([desk.responder], bash('rm src/parser/a.ts'))).opinions).toMatchObject([{ kind: 'deny' }])
  expect(records).toEqual([])
})

test('no answer in time is no permission for what may change files', async () => {
  const { desk } = deskOf([aLease()])
  expect(desk.responder.failing?.(bash('rm src/b.ts'), 'late')).toMatchObject({ opinions: [{ kind: 'deny' }] })
  const looking = calling({ id: 't1', name: 'Read', input: { file_path: 'src/b.ts' } })
  expect(desk.responder.failing?.(looking, 'late')).toEqual({})
})

test('rules can ask who has a lease on a file', async () => {
  const places = lookedUpFrom(root, null)
  const { desk } = deskOf([aLease({ mode: 'shared' }), aLease({ glob: 'free.ts', holder: agentRef })])
  const asked = ['src/parser/a.ts', 'free.ts', 'src/b.ts'].map((file) => desk.leaseOn(agentRef.id, file, places))
  expect(await Promise.all(asked)).toEqual(['other', 'mine', 'none'])
})
