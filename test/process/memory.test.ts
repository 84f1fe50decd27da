import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { agentToken } from '../../src/agents/identity/tokens.ts'
import type { ImportView } from '../../src/contract/outputs/memory.ts'
import type { AdviceView, HistoryView, StatsView } from '../../src/contract/routes/memory.ts'
import { filesWith } from '../support/live-tree.ts'
import { actingAs, type Box, createBox, repository, until } from './harness.ts'
import { hookCaller } from './hook-caller.ts'
import { type CliOptions, runCli } from './in-process-cli.ts'

const histories = ['bash_history', 'zsh_history', 'fish_history'].map((name) =>
  join(repository, 'test/fixtures/history', name),
)

const json = async <T>(box: Box, args: string[], options?: CliOptions): Promise<T> => {
  const { stdout } = await runCli(box, [...args, '--json'], options)
  return JSON.parse(stdout) as T
}
const lines = (...commands: object[]): string => commands.map((command) => JSON.stringify(command)).join('\n')

/** The commands that `rein memory history` shows, oldest first. */
const shown = async (box: Box, ...args: string[]): Promise<string[]> =>
  (await json<HistoryView[]>(box, ['memory', 'history', ...args])).map(({ command }) => command).toReversed()

/** Resolves when so many commands are there: a hook is answered before what it told of is on record. */
const onRecord = (box: Box, count: number): Promise<void> =>
  until(async () => (await shown(box, '--all')).length >= count)

/** A batch of one command that failed, or not. */
const ranBatch = (id: string, command: string, output: string) => ({
  tool_calls: [{ tool_name: 'Bash', tool_use_id: id, tool_input: { command }, tool_response: output }],
})

/** Enough for a primer. */
const practised = (cwd: string): string =>
  lines(...Array.from({ length: 30 }, (_, at) => ({ command: 'make check', cwd, at, exit: 0, session: `s${at % 5}` })))

test('histories of shells are read in once, and what is forgotten is nowhere and stays away', async () => {
  const box = createBox()
  await box.daemon()
  const { files } = await json<ImportView>(box, ['memory', 'import', ...histories])
  expect(files).toMatchObject([
    { kind: 'bash', commands: 5, taken: 5, known: 0 },
    // Both have an `exit` of the same second.
    { kind: 'zsh', commands: 7, taken: 6, known: 1 },
    { kind: 'fish', commands: 8, taken: 8, known: 0 },
  ])
  const sum = (view: ImportView, key: 'taken' | 'known'): number => view.files.reduce((all, file) => all + file[key], 0)
  const again = await json<ImportView>(box, ['memory', 'import', ...histories])
  expect([sum(again, 'taken'), sum(again, 'known')]).toEqual([0, 20])
  expect(await shown(box, '--all', 'for i in')).toEqual(['for i in 1 2; do echo $i; done'])
  expect(filesWith(box.paths.state, 'for i in 1 2')).not.toEqual([])
  expect(await json(box, ['memory', 'forget', 'for i in*done', '--all', '--yes'])).toMatchObject({ forgotten: 1 })
  expect(filesWith(box.paths.state, 'for i in 1 2')).toEqual([])
  const third = await json<ImportView>(box, ['memory', 'import', ...histories])
  expect(sum(third, 'taken')).toBe(0)
  expect(await shown(box, '--all', 'for i in')).toEqual([])
  expect(await json(box, ['memory', 'forget', '--since', '2026-01-01', '--all', '--yes'])).toMatchObject({
    forgotten: 18,
  })
  expect(await shown(box, '--all')).toEqual([])
  expect(filesWith(box.paths.state, 'not true')).toEqual([])
})

test('history is searched by text, exit code, author, time and project', async () => {
  const box = createBox()
  await box.daemon()
  const at = (time: string): number => Date.parse(`2026-01-31T${time}:00Z`)
  const commands = [
    { command: 'make One', exit: 0, at: at('09:00'), session: 'a' },
    { command: 'make two', exit: 2, at: at('10:00'), session: 'a' },
    { command: 'npm test', exit: 1, at: at('11:00'), session: 'b', author: 'codex' },
    { command: 'make elsewhere', exit: 0, at: at('12:00'), session: 'c', cwd: '/' },
  ]
  await runCli(box, ['memory', 'ingest'], { stdin: lines(...commands) })
  expect(await shown(box)).toEqual(['make One', 'make two', 'npm test'])
  expect(await shown(box, '--all', 'MAKE')).toEqual(['make One', 'make two', 'make elsewhere'])
  expect(await shown(box, '--ok')).toEqual(['make One'])
  expect(await shown(box, '--failed')).toEqual(['make two', 'npm test'])
  expect(await shown(box, '--exit', '2')).toEqual(['make two'])
  expect(await shown(box, '--author', 'person')).toEqual(['make One', 'make two'])
  expect(await shown(box, '--author', 'codex')).toEqual(['npm test'])
  expect(await shown(box, '--author', 'agents')).toEqual(['npm test'])
  expect(await shown(box, '--since', '2026-01-31T09:30Z', '--until', '2026-01-31T10:30Z')).toEqual(['make two'])
  expect(await shown(box, '--limit', '1')).toEqual(['npm test'])
})

test('what makes no sense is refused with a word on why', async () => {
  const box = createBox()
  await box.daemon()
  const nothing = join(box.root, 'nothing')
  const cases: [args: string[], stdin: string, why: string][] = [
    [['memory', 'ingest'], '', 'There is nothing to tell of.'],
    [['memory', 'ingest'], '{"command": 7}', 'command must be a text'],
    [['memory', 'ingest'], '{}\nno json', 'Line 2 of standard input is no JSON object.'],
    [['memory', 'import'], '', 'No history was found in the usual places.'],
    [['memory', 'import', nothing], '', `There is no file ${nothing}.`],
    [['memory', 'eval', nothing], '', `${nothing} cannot be read`],
    [['memory', 'stats', '--days', 'many'], '', 'a whole number is needed'],
    [['memory', 'history', '--since', 'whenever'], '', 'a time is a duration before now, like 2h, or a date'],
    [['memory', 'suggest', 'x', '--limit', '0'], '', 'at least 1 is needed'],
    [['memory', 'diagnose'], '', 'No command has failed here'],
  ]
  for (const [args, stdin, why] of cases) {
    const { code, stdout, stderr } = await runCli(box, args, { stdin })
    expect({ args, isRefused: code > 0, stdout }).toEqual({ args, isRefused: true, stdout: '' })
    expect(stderr).toContain(why)
  }
})

describe('a hook', () => {
  const failure = "Error: Cannot find module 'left-pad'\nRequire stack:\n- /w/a.js"

  test('is answered with what helped before, and that is on record with what came of it', async () => {
    const box = createBox({ REIN_MEMORY_COOLDOWN_MS: '0', REIN_HOOKS_DEADLINE_MS: '4000' })
    await box.daemon()
    const before = [
      { command: 'node a.js', exit: 1, output: failure },
      { command: 'npm run setup', exit: 0 },
      { command: 'node a.js', exit: 0 },
    ]
    await runCli(box, ['memory', 'ingest'], {
      stdin: lines(...before.map((one, index) => ({ ...one, at: Date.now() - 9000 + index, session: 's' }))),
    })
    const callHook = await hookCaller(box, { atTheEnd: onTestFinished })
    const failed = await callHook('PostToolBatch', ranBatch('t1', 'node a.js', `Exit code 1\n${failure}`))
    const fix = 'after this error here, `npm run setup` and then the same again worked 1 of 1 time.'
    expect(failed.stdout).toContain(fix)
    await callHook('PostToolBatch', ranBatch('t2', 'npm run setup', 'done'))
    await callHook('PostToolBatch', ranBatch('t3', 'node a.js', 'ok'))
    await onRecord(box, 6)
    const log = await json<AdviceView[]>(box, ['memory', 'log', '--shown'])
    expect(log.at(-1)).toMatchObject({
      kind: 'fix',
      moment: 'after',
      session: 'c1',
      about: 'node a.js',
      next: { command: 'npm run setup', outcome: 'ok' },
    })
    expect((await runCli(box, ['memory', 'log'])).stdout).toContain(fix)
    const { advice, total, agents } = await json<StatsView>(box, ['memory', 'stats'])
    expect(advice.kinds.find(({ kind }) => kind === 'fix')).toEqual({
      kind: 'fix',
      shown: 1,
      followed: 1,
      followedOk: 1,
    })
    expect([total.commands, agents.map(({ author }) => author)]).toEqual([6, ['claude']])
  })

  test('and whoever tells of a command are let go by a daemon that hangs, and nothing is lost or counted twice', async () => {
    const box = createBox()
    const daemon = await box.daemon()
    const callHook = await hookCaller(box, { atTheEnd: onTestFinished, deadlineMs: 200 })
    process.kill(daemon.pid, 'SIGSTOP')
    const silent = { code: 0, stdout: '', stderr: '' }
    const batch = ranBatch('t1', 'node a.js', `Exit code 1\n${failure}`)
    expect(await callHook('PostToolBatch', batch)).toEqual(silent)
    expect(await box.rein(['memory', 'ingest'], { env: { REIN_CMD: 'make later' } })).toEqual(silent)
    process.kill(daemon.pid, 'SIGCONT')
    const client = box.client()
    for await (const _ of client.tail({ topic: 'commands', after: 0, follow: true }))
      if ((await client.history({ cwd: box.cwd, text: 'make later' })).length > 0) break
    expect(readdirSync(box.paths.shells)).toEqual([])
    expect(await shown(box, 'make later')).toEqual(['make later'])
  })
})

test('what goes to a directory that is not remembered is neither kept nor advised on, wherever it starts', async () => {
  const box = createBox({ REIN_MEMORY_REWRITE: 'true', REIN_MEMORY_COOLDOWN_MS: '0', REIN_HOOKS_DEADLINE_MS: '4000' })
  await box.daemon()
  mkdirSync(join(box.cwd, 'private/.rein'), { recursive: true })
  writeFileSync(join(box.cwd, 'private/.rein/no-memory'), '')
  const secretly = ['cd private && ./one --client acme', `cd ${box.cwd}/private && ./two --client acme`]
  const callHook = await hookCaller(box, { atTheEnd: onTestFinished })
  for (const [index, command] of secretly.entries())
    await callHook('PostToolBatch', ranBatch(`t${index}`, command, `Exit code 1\nError: Cannot find module 'left-pad'`))
  const before = (command: string) =>
    callHook('PreToolUse', { tool_name: 'Bash', tool_use_id: command, tool_input: { command } })
  expect((await before('cd private && mkdir x/y')).stdout).toBe('')
  expect((await before('mkdir x/y')).stdout).toContain('mkdir -p x/y')
  const told = await json(box, ['memory', 'ingest'], { stdin: lines({ command: 'git -C private log --author acme' }) })
  expect(told).toMatchObject({ taken: 0, refused: 1 })
  await callHook('PostToolBatch', ranBatch('t9', 'make open', 'done'))
  await onRecord(box, 1)
  expect(await shown(box, '--all')).toEqual(['make open'])
  expect(filesWith(box.paths.state, 'acme')).toEqual([])
  expect(await json<AdviceView[]>(box, ['memory', 'log', '--shown'])).toMatchObject([{ about: 'mkdir x/y' }])
})

test('what was run in another work tree is told as it is to be run here, and nobody is sent elsewhere', async () => {
  const box = createBox({ REIN_MEMORY_COOLDOWN_MS: '0', REIN_HOOKS_DEADLINE_MS: '4000' })
  const [tree, other] = [join(box.root, 'tree'), join(box.root, 'other')]
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', box.cwd, '-c', 'user.name=x', '-c', 'user.email=x', ...args])
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'x')
  git('worktree', 'add', '-q', tree)
  mkdirSync(other)
  await box.daemon()
  const work = ['make lint', `cd ${tree} && npm test`, 'git commit -am wip']
  const session = (index: number) =>
    work.map((command, at) => ({
      command,
      exit: 0,
      at: index * 9 + at,
      session: `s${index}`,
      cwd: tree,
      author: 'claude',
    }))
  const foreign = { command: `cd ${other} && npm test`, exit: 0, cwd: other }
  await json(box, ['memory', 'ingest'], {
    stdin: lines(...Array.from({ length: 15 }, (_, index) => session(index)).flat(), foreign, foreign),
  })
  const callHook = await hookCaller(box, { atTheEnd: onTestFinished })
  const { stdout } = await callHook('PostToolBatch', ranBatch('t1', 'make lint', 'done'))
  expect(stdout).toContain('what usually comes next is `npm test` (worked 15 of 15 times here)')
  const env = actingAs(box, '%')
  expect((await runCli(box, ['memory', 'suggest', 'cd'], { env })).stdout).toBe('npm test\n')
  expect((await runCli(box, ['memory', 'suggest', 'cd'])).stdout).toContain(`cd ${other} && npm test`)
})

test('an agent is told of its own project only, wherever it asks from', async () => {
  const box = createBox()
  await box.daemon()
  await box.runningAgent()
  const other = join(box.root, 'other')
  mkdirSync(other)
  const told = (command: string, cwd: string): string =>
    lines(...[1, 2, 3].map((at) => ({ command, cwd, at, exit: 0 })))
  for (const [command, cwd] of [
    ['deploy --customer acme', other],
    ['deploy --customer here', box.cwd],
  ] as const)
    await json(box, ['memory', 'ingest'], { stdin: told(command, cwd) })
  const { secret } = JSON.parse(readFileSync(box.paths.endpoint, 'utf8')) as { secret: string }
  const agent = {
    cwd: other,
    env: actingAs(box, 'worker'),
  }
  for (const args of [
    ['memory', 'suggest', 'deploy'],
    ['memory', 'next'],
    ['memory', 'history'],
    ['memory', 'show'],
  ]) {
    const { stdout } = await runCli(box, args, agent)
    expect([args, stdout]).toEqual([args, expect.not.stringContaining('acme')])
    expect([args, stdout]).toEqual([args, expect.stringContaining('here')])
  }
  const rounds = [1, 2].flatMap((round) => [
    { command: 'make e2e', exit: 2, output: 'boom: no server', at: round * 10, session: 'r' },
    { command: 'frob --all', exit: 0, at: round * 10 + 1, session: 'r' },
    { command: 'npm run setup', exit: 0, at: round * 10 + 2, session: 'r' },
    { command: 'make e2e', exit: 0, at: round * 10 + 3, session: 'r' },
  ])
  await json(box, ['memory', 'ingest'], { stdin: lines(...rounds) })
  const asked = ['memory', 'diagnose', '--command', 'make e2e', '--exit', '2']
  const [person, model] = await Promise.all(
    [{}, agent].map((who) => runCli(box, asked, { ...who, stdin: 'boom: no server' })),
  )
  expect(person?.stdout).toContain('frob --all')
  expect(model?.stdout).toContain('npm run setup')
  expect(model?.stdout).not.toContain('frob')
  expect(await runCli(box, ['memory', 'history', '--all'], agent)).toMatchObject({ code: 5, stdout: '' })
  const nobody = { ...agent, env: { ...agent.env, REIN_TOKEN: agentToken(secret, 'agt_nobody', null) } }
  for (const args of [
    ['memory', 'suggest', 'deploy'],
    ['memory', 'history'],
    ['memory', 'show'],
  ])
    expect(await runCli(box, args, nobody)).toMatchObject({ code: 5, stdout: '' })
  expect(await shown(box, '--all')).toContain('deploy --customer acme')
})

test('an agent tells of its own project only, in its own conversation, and gets no primer of another', async () => {
  const box = createBox()
  execFileSync('git', ['init', '-q', box.cwd])
  await box.daemon()
  await box.runningAgent()
  const [other, quiet] = [join(box.root, 'other'), join(box.cwd, 'quiet')]
  for (const dir of [other, join(quiet, '.rein')]) mkdirSync(dir, { recursive: true })
  writeFileSync(join(quiet, '.rein/no-memory'), '')
  for (const cwd of [other, box.cwd]) await json(box, ['memory', 'ingest'], { stdin: practised(cwd) })
  const { secret } = JSON.parse(readFileSync(box.paths.endpoint, 'utf8')) as { secret: string }
  const env = actingAs(box, 'worker')
  const start = (cwd: string, given = env) =>
    box.rein(['memory', 'session-start'], { cwd, env: { ...given, REIN_SESSION_ID: 'q' } })
  expect(await start(other)).toMatchObject({ code: 5, stdout: '' })
  expect((await start(box.cwd)).stdout).toContain('make check')
  expect(await start(box.cwd, { ...env, REIN_TOKEN: agentToken(secret, 'agt_nobody', null) })).toMatchObject({
    code: 5,
  })
  const poison = lines({ command: 'make poison', session: 'q' })
  expect(await json(box, ['memory', 'ingest'], { cwd: other, env, stdin: poison })).toMatchObject({ refused: 1 })
  expect(await json(box, ['memory', 'ingest'], { env, stdin: poison })).toMatchObject({ taken: 1 })
  expect(await json<HistoryView[]>(box, ['memory', 'history', '--all', 'poison'])).toMatchObject([
    { cwd: box.cwd, author: 'claude', agent: 'worker', session: expect.not.stringMatching(/^q$/) },
  ])
  expect(await start(quiet)).toMatchObject({ code: 0, stdout: '' })
})
