import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import type { Receipt } from '../../src/contract/directive.ts'
import type { ErrorCode } from '../../src/contract/errors.ts'
import { shortId } from '../../src/contract/ids.ts'
import type { RouteName } from '../../src/contract/routes/all.ts'
import { FakeDaemon } from './fake-daemon.ts'

const program = path.join(import.meta.dirname, '../../bin/rein.cjs')
let daemon: FakeDaemon

interface Result {
  code: number
  stdout: string
  stderr: string
}

const run = (
  args: string[],
  { env = {}, stdin = '' }: { env?: Record<string, string>; stdin?: string | Buffer } = {},
): Promise<Result> =>
  new Promise((resolve) => {
    const environment = { PATH: process.env['PATH'], HOME: daemon.home, REIN_HOME: daemon.home, USER: 'ada', ...env }
    const child = execFile(
      process.execPath,
      [program, ...args],
      { env: environment, cwd: daemon.home },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
    child.stdin?.end(stdin)
  })

const rein = (...args: string[]): Promise<Result> => run(args)

const id = 'dir_0197a3f2-0000-7000-8000-000000000000'
const agent: AgentView = {
  handle: 'a',
  project: 'p',
  driver: 'claude',
  version: '2.1.197',
  host: 'stream',
  state: 'idle',
  since: 0,
  cwd: '/w',
  pid: 1,
  conversation: null,
  question: null,
  inbox: { queued: 0, offered: 0, placed: 0, seen: 0, acked: 0 },
  until: null,
  isPaused: false,
  pauseReason: null,
  crashes: 0,
  health: { hooks: 'heard', failures: 0, healed: 0 },
  evidence: null,
  weakened: [],
  wake: 'protocol',
}
const receipt = (state: Receipt['state'], ...before: Receipt['state'][]): Receipt => ({
  id,
  handle: 'a',
  state,
  steps: [...before, state].map((each, at) => ({ state: each, at })),
})
const told = { ...receipt('queued'), project: 'p', delivery: 'After its next tool call.' }

beforeEach(async () => {
  daemon = new FakeDaemon()
  await daemon.start()
})

afterEach(() => daemon.stop())

/** Every command that asks the daemon, with its route and an answer. */
const asking: [string, string[], RouteName, unknown][] = [
  ['up', ['up', 'a'], 'up', agent],
  ['ps', ['ps'], 'ps', [agent]],
  ['down', ['down', 'a'], 'down', agent],
  ['answer', ['answer', 'a', 'allow'], 'answer', agent],
  ['interrupt', ['interrupt', 'a'], 'interrupt', agent],
  ['tell', ['tell', 'a', 'hello'], 'tell', told],
  ['inbox', ['inbox', 'a'], 'inbox', []],
  ['inbox read', ['inbox', 'read', id], 'read', { id, parts: [1], partCount: 1, text: 'long text' }],
  ['receipt', ['receipt', id], 'receipt', receipt('queued')],
  ['ack', ['ack', id], 'ack', receipt('acked')],
  ['cancel', ['cancel', id], 'cancel', receipt('cancelled')],
  [
    'daemon status',
    ['daemon', 'status'],
    'status',
    { pid: 1, version: '1', since: 0, agents: 0, directives: 0, accepted: 0, commits: 0 },
  ],
  ['daemon rebuild', ['daemon', 'rebuild'], 'rebuild', { records: 3, skipped: [] }],
  ['setup', ['setup'], 'setup', { files: [], skipped: [] }],
  ['cleanup', ['cleanup', '--global'], 'cleanup', { files: [], skipped: [] }],
]

describe('exit codes', () => {
  test.each(asking)(
    '%s: 0 when done, and --json prints what the daemon answered',
    async (_name, args, route, value) => {
      daemon.answers[route] = { value }
      expect(await rein(...args)).toMatchObject({ code: 0, stderr: '' })
      const { code, stdout } = await rein(...args, '--json')
      expect({ code, output: JSON.parse(stdout) }).toEqual({ code: 0, output: value })
    },
  )

  test.each(asking)('%s: the family of the error decides', async (_name, args, route) => {
    const codes: Partial<Record<ErrorCode, number>> = {
      failed: 1,
      usage: 2,
      not_found: 3,
      not_in_time: 4,
      refused: 5,
      unavailable: 6,
    }
    const family = Object.keys(codes) as ErrorCode[]
    const results: Result[] = []
    for (const error of family) {
      daemon.answers[route] = { error }
      results.push(await rein(...args))
    }
    expect(results.map(({ code }) => code)).toEqual(Object.values(codes))
    expect(results.map(({ stderr }) => stderr)).toEqual(family.map((error) => `rein: fake ${error}\n      fake hint\n`))
  })

  test.each([
    [['tel', 'a', 'b'], 'Did you mean `rein tell`?'],
    [['daemon', 'stpo'], 'Did you mean `rein daemon stop`?'],
    [['ps', '--al'], 'Did you mean --all?'],
    [['tell', 'a', 'b', '--priority', 'urgnt'], 'Did you mean urgent?'],
    [['tell', 'a', 'b', '--expires', '10'], 'like 90s, 10m, 2h or 1d'],
    [['tell', 'a', 'b', '--timeout', '5'], '--wait'],
    [['tell', 'a'], 'needs TEXT'],
    [['tell', 'a', 'b', 'c'], 'Put a text of several words in quotes.'],
    [['tell', 'a', ' '], 'no text'],
    [['tell', 'a', '-'], 'no text'],
    [['up', 'Bad_Handle'], 'Invalid handle'],
    [['up', 'a', 'b'], 'Unexpected argument "b"'],
    [['up', 'a', '--continue', '--resume', 'x'], 'only one of'],
    [['up', 'a', '--env', 'NOVALUE'], 'NAME=VALUE'],
    [['config', 'get', 'agents.drivr'], 'Did you mean agents.driver?'],
    [['config', 'set', 'inbox.limit', 'many'], 'whole number'],
    [['completions', 'tcsh'], 'bash, zsh or fish'],
  ])('2 for %j, which asks nobody', async (args, says) => {
    const { code, stdout, stderr } = await rein(...args)
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) })
    const inJson = await rein(...args, '--json')
    expect(JSON.parse(inJson.stdout)).toMatchObject({ error: { message: expect.any(String) } })
    expect(daemon.asked).toEqual([])
  })

  test('2 for a state directory that cannot be', async () => {
    expect(await run(['ps'], { env: { REIN_HOME: 'relative' } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('REIN_HOME'),
    })
  })

  test('6 if the daemon is not there, and cannot be started', async () => {
    const file = path.join(daemon.home, 'file')
    writeFileSync(file, '')
    const env = { REIN_HOME: path.join(file, 'home') }
    expect(await run(['daemon', 'status'], { env })).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('not running'),
    })
    expect(await run(['ps'], { env })).toMatchObject({ code: 6, stderr: expect.stringContaining('could not start') })
    expect(await run(['daemon', 'stop'], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('was not running'),
    })
  })

  test('6, with what to do, if another build of the same version answers what nobody understands', async () => {
    daemon.answers.ps = { value: [{ handle: 'a' }] }
    const crashed = await rein('ps')
    expect(crashed).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('another build of Rein') })
    expect(crashed.stderr).toContain('rein daemon stop')
    expect(crashed.stderr).not.toMatch(/^\s+at /m)
  })

  test('doctor exits with 1 if a check failed', async () => {
    daemon.answers.doctor = { value: { checks: [{ name: 'claude', ok: false, detail: 'gone' }], drivers: [] } }
    expect(await rein('doctor', '--quick')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('✗ claude: gone'),
    })
  })
})

describe('up', () => {
  test('sends the whole request, in the environment of the caller', async () => {
    daemon.answers.up = { value: agent }
    mkdirSync(path.join(daemon.home, 'w'))
    const args = [
      'up',
      'a',
      '--host',
      'stream',
      '--cwd',
      'w',
      '--prompt',
      '-',
      '--permission-mode',
      'plan',
      '--env',
      'A=1',
      '--env',
      'B=x=y',
      '--',
      '--json',
      '-p',
    ]
    const { code } = await run(args, { stdin: 'Fix\nit\n', env: { REIN_AGENT: 'x', REIN_AGENTS_MODEL: 'opus' } })
    expect(code).toBe(0)
    const input = daemon.asked[0]?.input
    expect(input).toMatchObject({
      handle: 'a',
      driver: 'claude',
      host: 'stream',
      request: {
        cwd: path.join(daemon.home, 'w'),
        prompt: 'Fix\nit',
        permissionMode: 'plan',
        model: 'opus',
        env: { A: '1', B: 'x=y' },
        args: ['--json', '-p'],
      },
    })
    expect(input?.['env']).toMatchObject({ USER: 'ada' })
    expect(input?.['env']).not.toHaveProperty('REIN_AGENT')
  })
})

describe('tell', () => {
  test('sends the text with an id of its own, and says how it will arrive', async () => {
    daemon.answers.tell = { value: told }
    const { stdout } = await rein('tell', 'p/a', '--priority', 'high', '--expires', '2m', '--', '-x')
    expect(stdout).toBe(`${shortId(id)} for a: queued\nAfter its next tool call.\n`)
    expect(daemon.asked[0]?.input).toMatchObject({
      id: expect.stringMatching(/^dir_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/),
      target: 'p/a',
      text: '-x',
      priority: 'high',
      from: 'the user',
      expiresInMs: 120_000,
    })
  })

  test('refuses text that is no UTF-8, from standard input and as an argument', async () => {
    expect(await run(['tell', 'a', '-'], { stdin: Buffer.from([0x61, 0xff]) })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('UTF-8'),
    })
    const shell = `exec "$0" "$1" tell a "$(printf 'a\\377')"`
    const env = { PATH: process.env['PATH'] ?? '', HOME: daemon.home, REIN_HOME: daemon.home }
    const result = await new Promise<Result>((resolve) => {
      const child = execFile('sh', ['-c', shell, process.execPath, program], { env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      )
    })
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('UTF-8') })
    expect(daemon.asked).toEqual([])
  })

  test('--wait shows the steps as they come, and ends when it has come that far', async () => {
    daemon.answers.tell = { value: told }
    daemon.answers.follow = {
      lines: [receipt('queued'), receipt('offered', 'queued'), receipt('seen', 'queued', 'offered', 'placed')],
    }
    const { code, stdout } = await rein('tell', 'a', 'hello', '--wait', 'seen')
    expect(code).toBe(0)
    expect(
      stdout
        .split('\n')
        .slice(2, -1)
        .map((line) => line.split(/\s+/).at(-1)),
    ).toEqual(['offered', 'placed', 'seen'])
    expect(daemon.asked[1]?.query).toEqual({ until: 'seen' })
  })

  test('--wait exits with 4 when it takes too long, and prints the receipt all the same', async () => {
    daemon.answers.tell = { value: told }
    daemon.answers.follow = { lines: [receipt('offered', 'queued')], end: 'never' }
    const { code, stdout, stderr } = await rein('tell', 'a', 'hello', '--wait', 'seen', '--timeout', '0.3', '--json')
    expect({ code, state: (JSON.parse(stdout) as Receipt).state }).toEqual({ code: 4, state: 'offered' })
    expect(stderr).toContain('The directive stays offered')
  })

  test('--wait exits with 1 when it ended otherwise', async () => {
    daemon.answers.tell = { value: told }
    daemon.answers.follow = { lines: [receipt('expired', 'queued')] }
    expect(await rein('tell', 'a', 'hello', '--wait', 'seen')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('expired'),
    })
  })

  test('--wait exits with 6 when the daemon goes away, and says how to go on', async () => {
    daemon.answers.tell = { value: told }
    daemon.answers.follow = { lines: [receipt('offered', 'queued')], end: 'cut' }
    expect(await rein('tell', 'a', 'hello', '--wait', 'seen')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(`rein receipt ${shortId(id)}`),
    })
  })
})

describe('output', () => {
  test('inbox read prints the text as it is', async () => {
    daemon.answers.read = { value: { id, parts: [2], partCount: 3, text: 'as\tit \u001b[1mis' } }
    expect(await rein('inbox', 'read', id, '--part', '2')).toMatchObject({ stdout: 'as\tit \u001b[1mis\n' })
    expect(daemon.asked[0]?.input).toEqual({ part: 2 })
  })

  test('logs are a line each with --json', async () => {
    const record = { seq: 1, type: 'turn.started', at: 0, body: { prompt: 'Fix it' } }
    daemon.answers.logs = { lines: [record, { ...record, seq: 2 }] }
    expect((await rein('logs', 'a', '-n', '2')).stdout).toMatch(/› Fix it\n.*› Fix it\n$/)
    const { stdout } = await rein('logs', 'a', '--json', '--follow')
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { seq: number }).seq),
    ).toEqual([1, 2])
    expect(daemon.asked.map(({ query }) => [query['lines'], query['follow']])).toEqual([
      ['2', undefined],
      ['50', 'true'],
    ])
  })

  test('paths and settings need no daemon', async () => {
    await daemon.stop()
    daemon = new FakeDaemon()
    writeFileSync(path.join(daemon.home, 'endpoint.json'), '{"port":4711}')
    const paths = JSON.parse((await rein('config', 'paths', '--json')).stdout) as Record<string, unknown>
    expect(paths).toMatchObject({ state: daemon.home, port: 4711, socket: path.join(daemon.home, 'run/rein.sock') })
    expect(await rein('config', 'set', 'inbox.limit', '7')).toMatchObject({ code: 0 })
    expect(await rein('config', 'get', 'inbox.limit')).toMatchObject({ stdout: '7\n' })
    expect((await rein('config', 'list')).stdout).toMatch(/^inbox\.limit +7 +user +REIN_INBOX_LIMIT$/m)
    const { code, stdout } = await rein('config', 'unset', 'inbox.limit')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^inbox\.limit was taken out of .* It is 10000, from: default$/m),
    ])
    const again = await rein('config', 'unset', 'inbox.limit', '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ key: 'inbox.limit', value: 10_000, source: 'default' })
    expect((await rein('config', 'unset', 'inbox.limit')).stdout).toContain('inbox.limit is not set in ')
  })

  test("the daemon's log is shown without the daemon", async () => {
    expect(await rein('daemon', 'logs')).toMatchObject({ code: 3 })
    mkdirSync(path.join(daemon.home, 'logs'))
    writeFileSync(path.join(daemon.home, 'logs/rein.log'), '{"level":30,"msg":"one"}\n{"level":50,"msg":"two"}\n')
    expect(await rein('daemon', 'logs', '-n', '1')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/error two\n$/),
    })
  })

  test('ends quietly when its reader has had enough', async () => {
    daemon.answers.logs = {
      lines: Array.from({ length: 20_000 }, (_each, seq) => ({ seq, text: 'x'.repeat(100) })),
      end: 'never',
    }
    const env = { PATH: process.env['PATH'] ?? '', HOME: daemon.home, REIN_HOME: daemon.home }
    const result = await new Promise<string>((resolve) => {
      const command = `("$0" "$1" logs a --json; echo "exit $?" >&2) | head -n 1 >/dev/null`
      execFile('sh', ['-c', command, process.execPath, program], { env }, (_error, _stdout, stderr) => resolve(stderr))
    })
    expect(result).toBe('exit 0\n')
  })
})

describe('completions', () => {
  const complete = async (...words: string[]): Promise<string[]> => {
    const { code, stdout, stderr } = await rein('__complete', ...words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t')[0] ?? '')
  }

  test('of commands, flags and their values', async () => {
    expect(await complete('in')).toEqual(['interrupt', 'inbox'])
    expect(await complete('daemon', 'st')).toEqual(['start', 'stop', 'status'])
    expect(await complete('tell', 'a', 'b', '--pr')).toEqual(['--priority'])
    expect(await complete('tell', 'a', 'b', '--wait', '')).toEqual(['placed', 'seen', 'acked'])
    expect(await complete('config', 'get', 'agents.d')).toEqual(['agents.driver'])
  })

  test('of handles and directives, from the daemon', async () => {
    daemon.answers.ps = { value: [agent, { ...agent, handle: 'abc' }, { ...agent, handle: 'b' }] }
    daemon.answers.inbox = { value: [{ id }] }
    expect(await complete('tell', 'a')).toEqual(['a', 'abc'])
    expect(await complete('inbox', '')).toEqual(['read', 'a', 'abc', 'b'])
    expect(await complete('ack', 'dir_')).toEqual([shortId(id)])
  })

  test('are none, and start nothing, without a daemon', async () => {
    await daemon.stop()
    daemon = new FakeDaemon()
    expect(await complete('tell', '')).toEqual([])
    expect(await rein('daemon', 'status')).toMatchObject({ code: 6 })
    await daemon.start()
  })

  test('work in bash', async () => {
    const { stdout: script } = await rein('completions', 'bash')
    const ask = `rein() { "${process.execPath}" "${program}" "$@"; }\n${script}\nCOMP_WORDS=(rein daemon st) COMP_CWORD=2; _rein; printf '%s ' "\${COMPREPLY[@]}"`
    const output = await new Promise<string>((resolve) =>
      execFile(
        'bash',
        ['--norc', '-c', ask],
        { env: { PATH: process.env['PATH'], REIN_HOME: daemon.home } },
        (_error, stdout) => resolve(stdout),
      ),
    )
    expect(output).toBe('start stop status ')
  })

  test.each(['zsh', 'fish'])('there is a script for %s', async (shell) => {
    expect(await rein('completions', shell)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('rein __complete'),
    })
  })
})

/** All of dist/ that a command may come to load. */
const loadable = (file: string, known: Set<string>): Set<string> => {
  if (known.has(file)) return known
  known.add(file)
  const text = readFileSync(path.join(import.meta.dirname, '../../dist', file), 'utf8')
  for (const [, imported = ''] of text.matchAll(/require\(["'`]\.\/([\w-]+\.c?js)/g)) loadable(imported, known)
  return known
}

test('no command loads another program of the build, which would run it', () => {
  const files = loadable('cli.cjs', new Set())
  expect(files.size).toBeGreaterThan(20)
  expect([...files].filter((file) => ['daemon.js', 'writer.js', 'sim.js'].includes(file))).toEqual([])
})
