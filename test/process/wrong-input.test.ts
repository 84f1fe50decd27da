import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usualHost } from '../../src/cli/agents/host.ts'
import { linkProgramsBut } from '../support/packed.ts'
import { createBox } from './harness.ts'
import { type CliOptions, runCli } from './in-process-cli.ts'

const box = createBox({}, afterAll)
const rein = (args: string[], options: CliOptions = {}) => runCli(box, args, options)

beforeAll(async () => {
  await box.runningAgent('live')
  await box.stoppedAgent('ended')
  mkdirSync(join(box.root, 'elsewhere'))
  writeFileSync(join(box.root, 'file'), 'text')
  mkdirSync(join(box.root, 'bad-config'), { mode: 0o700 })
  writeFileSync(join(box.root, 'bad-config/config.toml'), 'a = [\n')
  mkdirSync(join(box.root, 'bad-database'), { mode: 0o700 })
  writeFileSync(join(box.root, 'bad-database/rein.db'), 'no database'.repeat(1000))
  mkdirSync(join(box.root, 'open'))
  chmodSync(join(box.root, 'open'), 0o755)
})

const inRoot = (name: string): string => join(box.root, name)
const home = (name: string): CliOptions => ({ env: { REIN_HOME: inRoot(name) } })
const long = (length: number): string => 'x'.repeat(length)

/** What is typed, the exit code, what happened, and what to do; null where the first line says that already. */
type Row = [args: string[], code: number, what: RegExp, hint: RegExp | null, options?: () => CliOptions]

const rows: Row[] = [
  // Files and directories.
  [
    ['story', 'live', '--output', '/nonexistent/x.html'],
    1,
    /x\.html cannot be written: there is no directory \/nonexistent\./,
    /mkdir -p \/nonexistent$/m,
  ],
  [
    ['chat', 'export', 'dates', '--output', '/nonexistent/x'],
    1,
    /there is no directory \/nonexistent\./,
    /mkdir -p \/nonexistent$/m,
  ],
  [
    ['memory', 'eval', '--output', '/nonexistent/x'],
    2,
    /there is no directory \/nonexistent\./,
    /mkdir -p \/nonexistent$/m,
  ],
  [
    ['up', 'a', '--output', '/non existent/x'],
    3,
    /there is no directory \/non existent\./,
    /mkdir -p '\/non existent'$/m,
  ],
  [['run', 'hi', '--cwd', '/nonexistent'], 3, /no directory \/nonexistent/, /--cwd/],
  [
    ['task', 'new', 'dates', '--spec', '/nonexistent/spec.md'],
    3,
    /no file or directory \/nonexistent\/spec\.md/,
    /ls -ld \/nonexistent$/m,
  ],
  [
    ['channel', 'token', 'ci', '--signature', 'github', '--secret', '/nonexistent/s'],
    3,
    /no file or directory \/nonexistent\/s/,
    /ls -ld/,
  ],
  [['memory', 'import', '/nonexistent/history'], 3, /no file \/nonexistent\/history/, /bash_history/],
  [['up', 'a', '--cwd', '/nonexistent'], 3, /no directory \/nonexistent/, /--cwd/],
  [['up', 'a', '--cwd', '../file'], 3, /no directory .*\/file/, /--cwd/],
  [['session', 'import', '/nonexistent.rein'], 3, /no file \/nonexistent\.rein/, /rein session export/],
  [['session', 'import', '..'], 2, /is not a file/, /\.rein/],
  [['rules', 'test', '/nonexistent.yaml'], 3, /no rule file "\/nonexistent\.yaml"/, /rein rules list/],
  // Names.
  [['up', 'Worker'], 2, /Invalid handle "Worker"/, /a-z/],
  [['up', ''], 2, /Invalid handle ""/, /a-z/],
  [['up', long(65)], 2, /Invalid handle "x+"/, /64/],
  [['up', 'a\u0000b'], 2, /Invalid handle/, /a-z/],
  [['up', 'all'], 2, /@all/, /another handle/],
  [['up', 'no/such'], 3, /no agent "no\/such"/, /rein ps --all/],
  [['down', 'nobody'], 3, /no agent "nobody"/, /live/],
  [['receipt', 'dir_nothing'], 3, /dir_nothing/, /./],
  [['ack', 'dir_nothing'], 3, /dir_nothing/, /./],
  [['cancel', 'dir_nothing'], 3, /dir_nothing/, /./],
  [['session', 'show', 'ses_nothing'], 3, /ses_nothing/, /rein session list/],
  [['tell', 'liev', 'hi'], 3, /no agent "liev"/, /Did you mean live\?/],
  [['chat', 'read', 'nowhere'], 3, /nowhere/, /./],
  [['task', 'show', 'nothing'], 3, /nothing/, /./],
  // Values.
  [['up', 'a', '--model', ''], 2, /--model is empty/, /leave --model out/],
  [['up', 'a', '--driver', 'aider'], 2, /no driver "aider"/, /claude, codex/],
  [['up', 'a', '--host', 'screen'], 2, /no host "screen"/, /tmux, pty, stream/],
  [['up', 'a', '--env', 'NAME'], 2, /--env takes NAME=VALUE/, /./],
  [['up', 'a', '--policy', 'maybe'], 2, /maybe/, /./],
  [['up', 'a', '--resume', 'x', '--continue'], 2, /only one of/, /./],
  [
    ['up', 'a', '--driver', 'codex', '--host', 'stream'],
    3,
    /Codex was not found/,
    /npm install -g @openai\/codex/,
    () => ({ env: { PATH: '/usr/bin:/bin' } }),
  ],
  [['orchestrate', 'p1', '--agents', '200'], 2, /--agents: at most 50 are possible/, null],
  [['tell', 'live', ''], 2, /no text/, /./],
  [['tell', 'live', '-'], 2, /not valid UTF-8/, /iconv/, () => ({ stdin: Buffer.from([0xff, 0xfe, 0x80]) })],
  [['tell', 'live', '-'], 2, /bytes|MiB/, /./, () => ({ stdin: long(20_000_000) })],
  [['tell', 'live', 'hi', '--expires', 'soon'], 2, /90s, 10m/, /tell --help/],
  [['tell', 'live', 'hi', '--timeout', '10s'], 2, /--wait/, /./],
  [['tell', 'live', 'hi', '--wait', 'never'], 2, /placed/, /tell --help/],
  [['logs', 'live', '--limit', '-5'], 2, /whole number/, /logs --help/],
  [['session', 'rewind', 'live', 'x'], 2, /a turn is a number/, /rewind --help/],
  [['completions', 'tcsh'], 2, /tcsh/, /./],
  [['config', 'set', 'agents.driver', 'aider'], 2, /one of claude, codex, copilot, gemini, opencode, not "aider"/, /./],
  [['config', 'set', 'agents.host', 'screen'], 2, /one of auto, tmux, pty, stream/, /./],
  [['config', 'set', 'agents.restart', 'perhaps'], 2, /true or false/, /./],
  [['config', 'set', 'agents.restart_limit', '-1'], 2, /from 0 to 1000/, /./],
  [['config', 'unset', 'agents.drivr'], 2, /no setting "agents.drivr"/, /Did you mean agents.driver\?/],
  [['config', 'get', 'agents.drivr'], 2, /no setting "agents.drivr"/, /agents.driver/],
  // States.
  [['attach', 'ended'], 5, /ended is not running \(stopped\)/, /rein up \S+\/ended --continue/],
  [['attach', 'live'], 5, /no terminal/, /rein logs live --follow/],
  [['answer', 'live', 'yes'], 5, /not waiting for an answer/, /./],
  [['down', 'ended'], 5, /not running/, /rein up \S+\/ended --continue/, () => ({ cwd: inRoot('elsewhere') })],
  [['up', 'live'], 5, /running already/, /rein down \S+\/live/],
  [['up', 'second', '--continue', '--host', 'stream'], 5, /\/live has one of them open/, /rein down \S+\/live/],
  // Places.
  [['ps'], 6, /file is not a directory/, /mv .*REIN_HOME/, () => home('file')],
  [['ps'], 6, /part of it is a file/, /./, () => home('file/below')],
  [['ps'], 2, /REIN_HOME leads to a socket path that is too long/, /export REIN_HOME=/, () => home(long(120))],
  [['ps'], 2, /absolute path/, /export REIN_HOME=/, () => ({ env: { REIN_HOME: 'relative' } })],
  [['ps'], 6, /open to other users/, /chmod 700/, () => home('open')],
  [
    ['ps'],
    6,
    /cannot be (created|written|changed)|read-only/,
    /REIN_HOME|directory/,
    () => ({ env: { REIN_HOME: '/proc/rein' } }),
  ],
  [['ps'], 6, /config\.toml:2:1: not valid TOML/, /Fix that file/, () => home('bad-config')],
  [['ps'], 6, /could not start: .*rein\.db/, /rein daemon repair/, () => home('bad-database')],
]

describe('each answer says what happened and what to do', () => {
  test.each(rows)('rein %j', async (args, code, what, hint, options) => {
    const result = await rein(args, options?.())
    const [message = '', ...help] = result.stderr.split('\n')
    expect(result.code).toBe(code)
    expect(result.stderr).toMatch(what)
    expect(help.join('\n')).toMatch(hint ?? '')
    // Neither what Node says about a system call, nor where in the program it happened.
    expect(message).not.toMatch(/\bE[A-Z]{4,}\b|^\s+at /)
  })
})

describe('without tmux and mkfifo on the PATH', () => {
  const bare = createBox({}, afterAll)
  const PATH = join(bare.root, 'bin')
  beforeAll(() => linkProgramsBut(/^(tmux|mkfifo)$/, PATH))

  const noTmux = /tmux is not installed\./
  const noMkfifo = /mkfifo is not installed, or not on the PATH\./
  test.each<[string[], RegExp, RegExp]>([
    [['up', 'a', '--host', 'tmux'], noTmux, /rein up worker-1 --host pty/],
    [['up', 'a', '--host', 'stream'], noMkfifo, /rein doctor/],
    [['run', 'hi'], noMkfifo, /rein doctor/],
    [['orchestrate', 'p1', '--agents', '1', '--host', 'tmux'], noTmux, /Fix that, then run: rein orchestrate p1/],
    [['orchestrate', 'p2', '--agents', '1', '--host', 'stream'], noMkfifo, /Fix that, then run: rein orchestrate p2/],
  ])('rein %j says which program is missing, and what to do', async (args, what, hint) => {
    const { code, stderr } = await runCli(bare, args, { env: { PATH } })
    const [message = '', ...help] = stderr.split('\n')
    expect(code).not.toBe(0)
    expect(message).toMatch(what)
    expect(help.join('\n')).toMatch(hint)
  })

  test('rein up takes another host by itself, and doctor says which', async () => {
    expect(usualHost('auto', { PATH })).toBe('pty')
    const { stdout } = await runCli(bare, ['doctor', '--quick'], { env: { PATH } })
    expect(stdout).toMatch(/– tmux: not installed.*--host pty/)
    expect(stdout).toMatch(/✗ mkfifo: not installed/)
  })
})

test('the hint to go on with an agent works from another directory, for that agent', async () => {
  const elsewhere = { cwd: inRoot('elsewhere') }
  const { stderr } = await rein(['down', 'ended'], elsewhere)
  const typed = /rein (up \S+ --continue)/.exec(stderr)?.[1]?.split(' ') ?? []
  const before = (await box.client().ps({ all: true })).length
  expect(await rein(typed, elsewhere)).toMatchObject({ code: 0, stdout: expect.stringContaining('ended (') })
  const agents = await box.client().ps({ all: true })
  expect(agents.length).toBe(before)
  expect(agents.find(({ handle }) => handle === 'ended')).toMatchObject({ cwd: box.cwd, state: 'idle' })
  await rein(['down', 'ended'])
})

test('settings that went wrong while the daemon runs are told by ps and tell, and doctor names them', async () => {
  const { config } = box.paths
  writeFileSync(config, 'agents = 3 3\n')
  const shown = [await rein(['ps']), await rein(['tell', 'live', 'hi'])]
  for (const { code, stderr } of shown)
    expect([code, stderr]).toEqual([0, expect.stringMatching(/config\.toml:1:\d+: not valid TOML.*keeps the settings/)])
  const doctor = await rein(['doctor', '--quick'])
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/✗ settings: .*config\.toml:1:/) })
  writeFileSync(config, '')
  expect((await rein(['ps'])).stderr).toBe('')
})

test.each<[string, RegExp, () => CliOptions]>([
  ['bad settings', /✗ settings: .*not valid TOML/, () => home('bad-config')],
  ['a damaged database', /✗ daemon: .*rein\.db[^]*rein daemon repair/, () => home('bad-database')],
  ['a file in place of its home', /✗ files: .*is a file[^]*mv /, () => home('file')],
  ['too long a path', /✗ files: .*too long[^]*export REIN_HOME/, () => home(long(120))],
  [
    'no programs',
    /✗ git: not installed[^]*✗ curl: not installed[^]*– tmux: not installed/,
    () => ({ env: { PATH: '' } }),
  ],
])('doctor works with %s, and says what to do', async (_name, line, options) => {
  const { code, stdout, stderr } = await rein(['doctor', '--quick'], options())
  expect([code, stderr]).toEqual([1, ''])
  expect(stdout).toMatch(line)
  expect(stdout).toMatch(/✓ node: .*[^]*Not ready: \d+ things? to fix/)
  expect(stdout).not.toMatch(/✓.*not installed/)
})

test('doctor says Ready, and --json has it as a field', async () => {
  const env = { ANTHROPIC_API_KEY: 'dummy' }
  expect(await rein(['doctor', '--quick'], { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Ready.'),
  })
  const { stdout } = await rein(['doctor', '--quick', '--json'], { env })
  expect(JSON.parse(stdout)).toMatchObject({ ready: true, drivers: expect.any(Array) })
})

describe('rein alone', () => {
  test('lists the agents where there are some', async () => {
    expect((await rein([])).stdout).toContain('live')
  })

  test('welcomes a person who has none, and starts no daemon', async () => {
    const { stdout, code } = await rein([], { env: { REIN_HOME: inRoot('fresh'), ANTHROPIC_API_KEY: 'dummy' } })
    expect(code).toBe(0)
    expect(stdout).toMatch(/✓ {2}Claude Code +logged in/)
    expect(stdout).toContain("rein up worker-1 --prompt 'What is in this directory?'")
    expect(existsSync(inRoot('fresh'))).toBe(false)
  })
})
