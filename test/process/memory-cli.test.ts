import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTree } from '../support/live-tree.ts'
import { type Box, createBox, repository, type Result } from './harness.ts'
import { type CliOptions, runCli } from './in-process-cli.ts'
import { onScreen, type ScreenOf } from './screen.ts'

const cleanUps: (() => void)[] = []
afterAll(() => cleanUps.forEach((clean) => clean()))

const told = (command: string, exit: number, at: number, output?: string): string =>
  JSON.stringify({ command, exit, at, session: 's1', durationMs: 1500, output })

const missing = "Error: Cannot find module 'left-pad'\nRequire stack:\n- /w/a.js"

const day = ['git pull', 'npm ci', 'npm run build', 'npm test', 'git status', 'git push']
const repair = ['node a.js', 'npm install left-pad', 'node a.js']
const began = Date.now() - 3_600_000

/** Three days' work, with the same failure and the same repair in between. */
const work = [...day, ...repair, ...day, ...repair, ...day]
  .map((command, index, all) => {
    const isFailed = command === 'node a.js' && all[index + 1] === 'npm install left-pad'
    return told(command, isFailed ? 1 : 0, began + index * 10_000, isFailed ? missing : undefined)
  })
  .join('\n')

describe('with commands in memory', () => {
  let box: Box
  /** The others run a program, or print bytes. */
  const asking = ['history', 'next', 'ingest', 'show', 'stats', 'log', 'forget']
  const rein = (args: string[], options?: CliOptions): Promise<Result> =>
    asking.includes(args[1] ?? '') ? runCli(box, args, options) : box.rein(args, options)
  const json = async <T>(args: string[], options?: CliOptions): Promise<T> => {
    const { stdout } = await rein([...args, '--json'], options)
    return JSON.parse(stdout) as T
  }

  beforeAll(async () => {
    box = createBox({}, (clean) => cleanUps.push(clean))
    await box.daemon()
    await rein(['memory', 'ingest'], { stdin: work })
  })

  test('what is told again is known', async () => {
    expect(await json(['memory', 'ingest'], { stdin: work })).toMatchObject({ taken: 0, known: 24 })
  })

  test('the environment tells, too; nothing of it in ephemeral mode', async () => {
    const env = { CLAI_CMD: 'make dev', CLAI_EXIT: '2', CLAI_SHELL: 'claude-code', CLAI_SESSION_ID: 'other' }
    expect(await json(['memory', 'ingest'], { env: { ...env, REIN_EPHEMERAL: '1' } })).toMatchObject({
      taken: 0,
      refused: 1,
    })
    expect(await rein(['memory', 'ingest'], { env })).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await rein(['memory', 'ingest'], { stdin: '' })).toMatchObject({ code: 2 })
    expect(await json(['memory', 'history', 'make'])).toMatchObject([
      { command: 'make dev', exit: 2, author: 'claude', session: 'other' },
    ])
  })

  test('the history is searched, newest last', async () => {
    const { stdout } = await rein(['memory', 'history', '--failed', '--author', 'person'])
    const lines = stdout.trim().split('\n')
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).toMatch(/ {2}person {2}exit 1 {2}1\.5 s {2}node a\.js$/)
    expect((await rein(['memory', 'history', 'npm test', '--limit', '1'])).stdout).toContain('--limit N shows more')
    expect((await rein(['memory', 'history', 'nothing like it'])).stdout).toContain('--all looks in all projects')
    expect((await rein(['memory', 'history', '--limit', '10001'])).stderr).toContain('at most 10000')
    expect(await rein(['memory', 'history', '--ok', '--exit', '3'])).toMatchObject({ code: 2 })
  })

  test('what only agents ran is no suggestion to who does not want it', async () => {
    const agents = ['rebase -d main', 'rebase -d old'].map((what) =>
      JSON.stringify({ command: `jj ${what}`, exit: 0, session: 'a1', author: 'claude' }),
    )
    await rein(['memory', 'ingest'], { stdin: [...agents, ...agents, told('jj status', 0, began)].join('\n') })
    expect((await rein(['memory', 'suggest', 'jj'])).stdout).toContain('jj rebase')
    expect((await rein(['memory', 'suggest', 'jj', '--mine'])).stdout).toBe('jj status\n')
    expect((await rein(['memory', 'history', 'jj', '--mine'])).stdout).not.toContain('jj rebase')
    expect(await rein(['memory', 'history', '--mine', '--author', 'claude'])).toMatchObject({ code: 2 })
  })

  test('a person is not offered the commit messages of agents', async () => {
    const agents = ['the cart', 'the till'].map((what) =>
      JSON.stringify({ command: `hg commit -m 'fix: ${what}'`, exit: 0, session: 'a2', author: 'claude' }),
    )
    await rein(['memory', 'ingest'], { stdin: [...agents, told("hg commit -m 'my own'", 0, began)].join('\n') })
    expect((await rein(['memory', 'suggest', 'hg com'])).stdout).toBe("hg commit -m 'my own'\n")
  })

  test('nothing that destroys is suggested, however often it was run', async () => {
    const harmful = ['rm -rf build', 'git reset --hard', 'git push --force', 'dropdb shop', 'git clean -fdx']
    const lines = harmful.flatMap((command) => ['./gradlew check', command]).map((it, n) => told(it, 0, began + n))
    for (const round of [1, 2, 3])
      await rein(['memory', 'ingest'], { stdin: lines.join('\n').replaceAll('s1', `harm-${round}`) })
    const offered = await Promise.all(
      [
        ['memory', 'next', '--limit', '50'],
        ...['rm', 'git', 'drop'].map((it) => ['memory', 'suggest', it, '--limit', '50']),
      ].map((args) => rein(args)),
    )
    const texts = offered.map(({ stdout }) => stdout).join('')
    expect(harmful.filter((command) => texts.includes(command))).toEqual([])
    expect(texts).toContain('git status')
  })

  test('suggestions can be piped, and say why', async () => {
    const { stdout } = await rein(['memory', 'suggest', 'npm', 'ru'])
    expect(stdout.split('\n')[0]).toBe('npm run build')
    expect((await rein(['memory', 'suggest', 'npm ru', '--null'])).stdout.split('\0')[0]).toBe('npm run build')
    expect(await json<{ text: string; reasons: string[] }[]>(['memory', 'suggest', 'npm ru'])).toMatchObject([
      { text: 'npm run build', source: 'history' },
    ])
    expect((await rein(['memory', 'suggest', 'npm ru', '--verbose'])).stdout).toMatch(
      /^ *\d+\.\d %  npm run build\n +\w+/,
    )
    expect((await rein(['memory', 'next', '--limit', '2'])).stdout.trim().split('\n')).toHaveLength(2)
  })

  test('a failure is explained by what helped here', async () => {
    const run = await rein(['memory', 'diagnose', '--', 'sh', '-c', `echo "${missing}" >&2; exit 3`])
    expect(run.code).toBe(3)
    expect(run.stderr).toContain('left-pad')
    expect(run.stdout).toContain('failed (exit 3)')
    const piped = await rein(['memory', 'diagnose', '--command', 'node a.js', '--exit', '1'], { stdin: missing })
    expect(piped).toMatchObject({ code: 0 })
    expect(piped.stdout).toMatch(/What helped here:\n {2}first npm install left-pad, then node a\.js: worked 2 of 2/)
    // It was told of, with its output, and is the last that failed; Rein's own commands are none to suggest.
    expect(await json(['memory', 'diagnose'])).toMatchObject({ exit: 3, error: expect.stringContaining('left-pad') })
    expect(await json(['memory', 'history', 'exit 3'])).toMatchObject([
      { author: 'person', outcome: 'failed', output: `${missing}\n` },
    ])
    expect(await rein(['memory', 'diagnose', '--', 'true'])).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await rein(['memory', 'diagnose', '--last', '--', 'true'])).toMatchObject({ code: 2 })
  })

  test('what is known of the project is shown', async () => {
    const { stdout } = await rein(['memory', 'show'])
    expect(stdout).toContain('npm test')
    expect(stdout).toContain('commands of')
    const started = await json(['memory', 'session-start'], { env: { REIN_SESSION_ID: 'mine' } })
    expect(started).toMatchObject({ session: 'mine' })
    expect(await rein(['memory', 'session-end'], { env: { REIN_SESSION_ID: 'mine' } })).toMatchObject({
      code: 0,
      stdout: '',
    })
  })

  test('figures, decisions and predictions', async () => {
    const stats = await rein(['memory', 'stats'])
    expect(stats.stdout).toContain('no decision was made yet')
    expect(stats.stdout).not.toContain('Does it help')
    expect(stats.stdout).toMatch(/node +\d+ +\d+\.\d %/)
    expect((await rein(['memory', 'log'])).stdout).toContain('No decision')
    const out = join(box.root, 'predictions')
    const figures = await json<{ commands: number }>(['memory', 'eval', '--shuffle', '--output', out])
    expect(figures.commands).toBeGreaterThanOrEqual(24)
    expect(await rein(['memory', 'eval', '--output', join(box.root, 'missing/x')])).toMatchObject({ code: 2 })
    const bad = join(box.root, 'bad.jsonl')
    writeFileSync(bad, '{"cmd":"ls"}\n')
    expect(await rein(['memory', 'eval', '--history', bad])).toMatchObject({ code: 2 })
    expect((await rein(['memory', 'log', '--session', 'nosuch'])).stdout).toContain('nosuch')
    expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(figures.commands)
  })

  test('forgetting asks before, and is for good', async () => {
    await rein(['memory', 'ingest'], { env: { REIN_CMD: 'echo unwanted-word' } })
    expect((await rein(['memory', 'forget', 'unwanted-word', '--dry-run'])).stdout).toContain(
      '1 command would be forgotten:\n    echo unwanted-word',
    )
    expect(await rein(['memory', 'forget', 'unwanted-word'])).toMatchObject({ code: 5 })
    expect(await rein(['memory', 'forget'])).toMatchObject({ code: 2 })
    expect((await rein(['memory', 'forget', 'unwanted-word', '--yes'])).stdout).toBe('Forgot 1 command.\n')
    expect(await json(['memory', 'history', 'unwanted-word'])).toEqual([])
    const files = readTree(box.paths.state)
    expect([...files.keys()]).toContain(box.paths.database)
    expect([...files].filter(([, content]) => content.includes('unwanted-word'))).toEqual([])
  })
})

test('without a daemon nothing waits and nothing is lost: what was told is there when one comes', async () => {
  const box = createBox()
  const env = { REIN_CMD: 'make later', REIN_SESSION_ID: 's9', REIN_AUTHOR: 'my-agent', REIN_EXIT: '0' }
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
  const stdin = JSON.stringify({
    command: `curl -H "Authorization: token ${secret}"`,
    outcome: 'failed',
    branch: 'dev',
    at: 5,
  })
  expect(await box.rein(['memory', 'ingest'], { env })).toEqual({ code: 0, stdout: '', stderr: '' })
  const kept = await box.rein(['memory', 'ingest', '--json'], { stdin })
  expect(JSON.parse(kept.stdout)).toEqual({ taken: 0, known: 0, refused: 0, secrets: 0, kept: 1 })
  const files = readdirSync(box.paths.shells).map((name) => readFileSync(join(box.paths.shells, name), 'utf8'))
  expect(files.join('')).toContain('make later')
  expect(files.join('')).not.toContain(secret)
  expect(await box.rein(['memory', 'session-start'], { env })).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await box.rein(['memory', 'suggest', 'ma', '--timeout', '0.3s'])).toMatchObject({ code: 6, stdout: '' })
  expect(box.registered()).toBeNull()
  await box.daemon()
  for await (const record of box.client().tail({ topic: 'commands', after: 0, follow: true }))
    if (record.type === 'command.ran') break
  const { stdout } = await box.rein(['memory', 'history', '--json'])
  expect(JSON.parse(stdout)).toMatchObject([
    { command: 'make later', session: 's9', author: 'my-agent', cwd: box.cwd },
    { session: expect.stringMatching(/^person-[0-9a-f]{24}$/), outcome: 'failed', branch: 'dev' },
  ])
})

test('a directory that has opted out is left out', async () => {
  const box = createBox()
  mkdirSync(join(box.cwd, '.rein'))
  writeFileSync(join(box.cwd, '.rein/no-memory'), '')
  await box.daemon()
  const { stdout } = await box.rein(['memory', 'ingest', '--json'], { env: { REIN_CMD: 'echo private' } })
  expect(JSON.parse(stdout)).toMatchObject({ taken: 0, refused: 1 })
})

test('histories are shown before they are read in, and what is none has to be named', async () => {
  const box = createBox()
  const history = join(box.root, '.bash_history')
  writeFileSync(history, 'make\n')
  const env = { HOME: box.root }
  expect(await box.rein(['memory', 'import'], { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(history),
  })
  const listed = await box.rein(['memory', 'import', '--json'], { env })
  expect(JSON.parse(listed.stdout)).toEqual({ files: [], found: [history] })
  const readme = join(box.root, 'README.md')
  writeFileSync(readme, '# Shop\n')
  expect(await box.rein(['memory', 'import', readme])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--kind'),
  })
  mkdirSync(join(box.root, 'empty'))
  expect(await box.rein(['memory', 'import', join(box.root, 'empty')])).toMatchObject({ code: 3 })
  const waste = await box.rein(['memory', 'waste', join(box.root, 'missing')])
  expect(waste).toMatchObject({ code: 3, stdout: '' })
  expect(waste.stderr.trim().split('\n')).toHaveLength(1)
})

test('a setting is not that of the daemon that runs, and whoever sits at a terminal is told', async () => {
  const box = createBox()
  const set = (value: string): ScreenOf =>
    onScreen(['config', 'set', 'memory.advise', value], { cwd: box.cwd, env: box.env })
  const shows = (text: string) => (screen: string[]) => screen.some((line) => line.includes(text))
  const alone = set('false')
  await alone.until(shows('memory.advise = false'))
  await alone.ended
  expect(alone.output()).not.toContain('starts again')
  await box.daemon()
  await set('true').until(shows('It takes effect when the daemon starts again'))
  expect((await box.rein(['config', 'set', 'memory.advise', 'true'])).stderr).toBe('')
})

test('a replay that is stopped leaves neither a daemon nor a directory behind', async () => {
  const box = createBox()
  const tmp = join(box.root, 'tmp')
  const file = join(box.root, 'history.jsonl')
  mkdirSync(tmp)
  writeFileSync(file, `${JSON.stringify({ session: 's', seq: 1, cmd: 'ls', project: 'p' })}\n`.repeat(500))
  const watcher = watch(tmp)
  const begun = once(watcher, 'change')
  const args = [join(repository, 'bin/rein.cjs'), 'memory', 'eval', '--through-hooks', file]
  const child = spawn(process.execPath, args, { env: { ...box.env, TMPDIR: tmp }, cwd: box.cwd, stdio: 'ignore' })
  await begun
  watcher.close()
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(readdirSync(tmp)).toEqual([])
})

test('files are looked for where the caller is', async () => {
  const box = createBox()
  for (const [at, ...args] of [
    ['missing/out', 'memory', 'eval', '--output', 'missing/out'],
    ['missing', 'memory', 'eval', 'missing'],
    ['missing', 'memory', 'eval', '--history', 'missing'],
    ['missing', 'memory', 'eval', '--through-hooks', 'missing'],
    ['missing', 'memory', 'import', 'missing'],
    ['missing', 'memory', 'waste', 'missing'],
    ['missing', 'rules', 'backtest', '--commands', 'missing'],
  ] as const)
    expect([args, (await runCli(box, [...args])).stderr]).toEqual([args, expect.stringContaining(join(box.cwd, at))])
  const { stdout } = await runCli(box, ['config', 'set', 'gemini.path', 'bin/gemini'])
  expect(stdout).toContain(`gemini.path = ${join(box.cwd, 'bin/gemini')} in`)
})
