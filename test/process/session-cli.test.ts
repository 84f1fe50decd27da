import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RouteName, routes } from '../../src/contract/routes/all.ts'
import type {
  ForkedView,
  MovedView,
  SessionDetail,
  SessionTurnDetail,
  SessionTurnView,
  SessionView,
} from '../../src/contract/routes/sessions.ts'
import { FakeDaemon } from './fake-daemon.ts'
import type { Result } from './harness.ts'
import { runCli } from './in-process-cli.ts'

let daemon: FakeDaemon

const rein = (...args: string[]): Promise<Result> =>
  runCli(
    { env: { PATH: process.env['PATH'] ?? '', HOME: daemon.home, REIN_HOME: daemon.home }, cwd: daemon.home },
    args,
  )

beforeEach(async () => {
  daemon = new FakeDaemon()
  await daemon.start()
})

afterEach(() => daemon.stop())

const session: SessionView = {
  id: 'ses_1',
  agent: 'a',
  driver: 'claude',
  project: 'p',
  cwd: '/src',
  state: 'idle',
  turns: 1,
  branches: 1,
  current: '1',
  conversation: 'c1',
  firstAt: 0,
  lastAt: 0,
  lastPrompt: 'Hi',
}
const turn: SessionTurnView = {
  label: '1',
  parent: '0',
  conversation: 'c1',
  agent: 'a',
  prompt: 'Hi',
  startedAt: 0,
  endedAt: 1,
  reason: 'idle',
  model: null,
  costUsd: null,
  isCurrent: true,
  hasFiles: true,
}
const whole: SessionDetail = { session, turns: [turn], moves: [], disk: null, trouble: null }
const one: SessionTurnDetail = {
  session: 'ses_1',
  turn,
  blocks: [],
  loops: [],
  before: null,
  after: null,
  changes: null,
  skipped: [],
  outside: [],
}
const diff = { session: 'ses_1', from: '0', to: '1', changes: [], patch: null }
const found = [{ session: 'ses_1', agent: 'a', turn: '1', at: 0, prompt: 'Hi', excerpt: 'Hi' }]
const moved: MovedView = {
  id: 'mov_1',
  kind: 'rewind',
  session: 'ses_1',
  agent: 'a',
  part: 'both',
  from: '3',
  to: '1',
  changes: [],
  isExact: true,
  kept: [],
  skipped: [],
  outside: [],
  conversation: 'c2',
  isRunning: false,
  command: null,
}
const forked: ForkedView = {
  session: 'ses_1',
  agent: 'b',
  turn: '1',
  conversation: 'c3',
  cwd: '/src',
  command: null,
}
const progress = { what: 'restoring the files', done: 0, total: 1 }
const moving = { target: 'a', part: 'both', turn: '1' }

/** Every command that looks, what it asks the daemon for, and an answer. */
const looking: [string, RouteName, object, unknown][] = [
  ['list', 'sessions', { limit: '50' }, [session]],
  ['list --all --limit 3', 'sessions', { all: 'true', limit: '3' }, []],
  ['show a', 'session', { target: 'a' }, whole],
  ['show ses_1 3b', 'sessionTurn', { target: 'ses_1', turn: '3b' }, one],
  ['diff a 1', 'sessionDiff', { target: 'a', from: '1' }, diff],
  ['diff a 0 now --patch', 'sessionDiff', { from: '0', to: 'now', patch: 'true' }, diff],
  ['diff a 1 27aa', 'sessionDiff', { from: '1', to: '27aa' }, diff],
  ['search db --all', 'searchSessions', { text: 'db', all: 'true', limit: '50' }, found],
]

/** And every one that goes somewhere, which takes its time. */
const going: [string, RouteName, object, unknown][] = [
  ['rewind a 1', 'rewind', moving, moved],
  ['rewind a 1 --both --dry-run', 'rewind', { ...moving, preview: true }, { ...moved, id: null }],
  ['rewind a 1 --code --stop', 'rewind', { ...moving, part: 'code', stop: true }, moved],
  ['rewind a 1 --chat --force', 'rewind', { ...moving, part: 'chat', force: true }, moved],
  ['undo a --dry-run', 'undo', { target: 'a', preview: true }, moved],
  ['redo a --stop --force', 'redo', { target: 'a', stop: true, force: true }, moved],
  ['fork a', 'fork', { target: 'a' }, forked],
  ['fork a 1 --worktree --as b', 'fork', { turn: '1', worktree: '', handle: 'b' }, forked],
  ['fork a 1 --worktree', 'fork', { turn: '1', worktree: '' }, forked],
  ['fork a --worktree /elsewhere/b', 'fork', { worktree: '/elsewhere/b' }, forked],
  ['compact a --stop', 'compact', { target: 'a', stop: true }, moved],
  ['gc', 'collectSessions', {}, { trees: [] }],
]

describe('rein session', () => {
  test.each([...looking, ...going])('%s: asks for it, and prints what comes', async (line, route, input, value) => {
    const isSlow = going.some(([, slow]) => slow === route)
    daemon.answers[route] = isSlow ? { lines: [{ progress }, { result: value }] } : { value }
    const words = ['session', ...line.split(' ')]
    expect(await rein(...words)).toMatchObject({ code: 0, stderr: '' })
    const { code, stdout } = await rein(...words, '--json')
    expect({ code, output: JSON.parse(stdout) }).toEqual({ code: 0, output: value })
    const [asked] = daemon.asked
    const given = { ...asked?.query, ...asked?.input }
    // A card without input is given nothing, not even the directory.
    const wanted = 'input' in routes[route] ? { cwd: daemon.home, ...input } : {}
    expect(given).toMatchObject(wanted)
    expect(Object.keys(given).length > 0).toBe(Object.keys(wanted).length > 0)
    daemon.answers[route] = { error: 'refused' }
    expect(await rein(...words)).toMatchObject({ code: 5, stderr: 'rein: fake refused\n      fake hint\n' })
  })

  test('an error may come after some progress', async () => {
    const error = { code: 'refused', message: 'a is at work.', hint: 'Use --stop.' }
    daemon.answers.rewind = { lines: [{ progress }, { error }] }
    expect(await rein('session', 'rewind', 'a', '1')).toMatchObject({
      code: 5,
      stdout: '',
      stderr: 'rein: a is at work.\n      Use --stop.\n',
    })
    const { code, stdout } = await rein('session', 'rewind', 'a', '1', '--json')
    expect([code, JSON.parse(stdout)]).toEqual([5, { error }])
  })

  test('a directory for a fork is meant from here', async () => {
    daemon.answers.fork = { lines: [{ result: forked }] }
    await rein('session', 'fork', 'a', '--worktree', '../b')
    expect(daemon.asked[0]?.input).toMatchObject({ worktree: path.resolve(daemon.home, '../b') })
  })

  test('a daemon that is gone before it has a result is an error', async () => {
    daemon.answers.rewind = { lines: [{ progress }], end: 'cut' }
    expect(await rein('session', 'rewind', 'a', '1')).toMatchObject({ code: 6, stdout: '' })
    daemon.answers.rewind = { lines: [] }
    expect(await rein('session', 'rewind', 'a', '1')).toMatchObject({ code: 6, stdout: '' })
  })

  test.each([
    ['rewind a 1 --code --chat', 'only one of --code, --chat and --both'],
    ['rewind a 1 --chat --both', 'only one of --code, --chat and --both'],
    ['rewind a', 'needs TURN'],
    ['rewind a three', 'a turn is a number'],
    ['rewind a now', 'a turn is a number'],
    ['rewind a -- -1', 'a turn is a number'],
    ['show a 3B', 'a turn is a number'],
    ['diff a 1 later', 'a turn is a number'],
    ['fork a 1 --as Bad', 'a handle has'],
    ['list --limit x', 'whole number'],
    ['search db --limit 0', 'at least 1'],
    ['search', 'needs TEXT'],
    ['undo a 1', 'Unexpected argument'],
    ['compact a --dry-run', '--dry-run'],
    ['back a', 'back'],
  ])('%s: is refused before anybody is asked', async (line, why) => {
    const { code, stdout, stderr } = await rein('session', ...line.split(' '))
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(why)])
    expect(daemon.asked).toEqual([])
  })

  test('completions are handles and sessions', async () => {
    daemon.answers.ps = { value: [{ handle: 'a' }, { handle: 'b' }] }
    daemon.answers.sessions = { value: [session, { ...session, id: 'ses_2', agent: 'gone' }] }
    const complete = async (...words: string[]): Promise<string[]> =>
      (await rein('__complete', 'session', ...words)).stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('\t')[0] ?? '')
    expect(await complete('rewind', '')).toEqual(['a', 'b', 'gone', 'ses_1', 'ses_2'])
    expect(await complete('show', 'ses_')).toEqual(['ses_1', 'ses_2'])
    expect(await complete('diff', 'a', '1', '')).toEqual(['now'])
    expect(await complete('re')).toEqual(['rewind', 'redo', 'replay'])
  })
})
