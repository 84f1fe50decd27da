import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RouteName } from '../../src/contract/routes/all.ts'
import type { EventView, PostsView, PostView, RoomView } from '../../src/contract/routes/team.ts'
import { FakeDaemon } from './fake-daemon.ts'
import { type Env, type Result, repository } from './harness.ts'
import { runCli } from './in-process-cli.ts'

const program = path.join(repository, 'bin/rein.cjs')
let daemon: FakeDaemon

const environment = (): Env => ({ PATH: process.env['PATH'] ?? '', HOME: daemon.home, REIN_HOME: daemon.home })

const reinWith = (stdin: string, ...args: string[]): Promise<Result> =>
  runCli({ env: environment(), cwd: daemon.home }, args, { stdin })
const rein = (...args: string[]): Promise<Result> => reinWith('', ...args)

beforeEach(async () => {
  daemon = new FakeDaemon()
  await daemon.start()
})

afterEach(() => daemon.stop())

const room: RoomView = {
  name: 'general',
  project: 'p',
  about: '',
  posts: 2,
  first: 1,
  unread: 1,
  mentions: 0,
  members: 2,
  lastAt: 0,
  paused: false,
  pausedUntil: null,
}
const post = (n: number): PostView => ({
  n,
  id: `post_${n}`,
  author: { kind: 'user', name: 'user' },
  from: 'user',
  text: `m${n}`,
  at: Date.UTC(2026, 0, 2, 12),
  mentions: [],
  kind: 'message',
  withheld: false,
})
const page = (posts: PostView[], left = 0): PostsView => ({
  room: 'general',
  posts,
  left,
  archived: 0,
  upTo: posts.at(-1)?.n ?? 0,
})
const event: EventView = {
  id: 'evt_1',
  project: 'p',
  type: 'task-blocked',
  v: 1,
  priority: 'high',
  payload: 'why',
  from: 'a',
  to: null,
  delivery: 'each',
  dedup: null,
  at: 0,
  due: null,
  pending: ['b'],
  leasedBy: null,
  leasedUntil: null,
  overdue: false,
  escalated: 0,
}
const counts = { critical: 0, high: 1, normal: 0, low: 0 }
const events = { events: [event], left: 0, counts }
const decision = { n: 1, id: 'decision_1', project: 'p', text: 'x', by: 'user', at: 0 }
const posted = { id: 'post_1', room: 'general', n: 3, mentions: [], answers: [], unknown: [] }
const published = { id: 'evt_1', type: 'task-blocked', priority: 'high', recipients: [], duplicate: false }
const watches = { handle: 'a', project: 'p', subjects: ['room:*'], except: [], intervalS: null, rooms: [] }
const controls = [{ line: 'register room:x', at: 0, by: 'user', error: null }]
const archived = { room: 'general', archived: 0, upTo: 0, file: null }
const status = { project: 'p', open: counts, overdue: 0, oldestAt: 0, kept: 1, bytes: 3, recipients: [] }

/** Every command of a team, what it asks the daemon for, and an answer. */
const asking: [string, RouteName, object, unknown][] = [
  ['chat create general --about talk', 'createRoom', { room: 'general', about: 'talk' }, room],
  ['chat list --all', 'rooms', { all: 'true' }, [room]],
  ['chat send general hello', 'post', { room: 'general', text: 'hello' }, posted],
  ['chat read general', 'posts', { room: 'general', last: '50' }, page([post(1)])],
  ['chat read general --after 3 --limit 9', 'posts', { after: '3', limit: '9' }, page([])],
  ['chat read general --since 2026-01-02T00:00Z', 'posts', { since: '1767312000000' }, page([])],
  ['chat read general --unread --peek', 'posts', { unread: 'true' }, page([post(1)])],
  ['chat search general db', 'posts', { search: 'db' }, page([post(1)], 4)],
  ['chat members general', 'members', { room: 'general' }, []],
  ['chat archive general --keep 10', 'archiveRoom', { keep: 10 }, archived],
  ['chat pause general --for 2h', 'pauseRoom', { isPaused: true, forMs: 7_200_000 }, { ...room, paused: true }],
  ['chat resume general', 'pauseRoom', { isPaused: false }, room],
  ['bus publish task-blocked why --once', 'publish', { type: 'task-blocked', payload: 'why', once: true }, published],
  ['bus publish x --to a --priority low --key k', 'publish', { to: 'a', priority: 'low', dedup: 'k' }, published],
  ['bus check', 'events', { cwd: expect.any(String) }, events],
  ['bus read --type task-blocked --all', 'events', { type: 'task-blocked', all: true, take: true }, events],
  ['bus read evt_1', 'events', { id: 'evt_1', take: true }, events],
  ['bus ack evt_1 evt_2', 'ackEvents', { ids: ['evt_1', 'evt_2'], all: false }, { acked: ['evt_1'], open: 0 }],
  ['bus ack --all', 'ackEvents', { ids: [], all: true }, { acked: [], open: 0 }],
  ['bus status', 'busStatus', {}, status],
  [
    'bus prune --until 7d --keep-bytes 9',
    'pruneEvents',
    { olderThanMs: 604_800_000, keepBytes: 9 },
    { pruned: 1, kept: 0, bytes: 0 },
  ],
  ['bus watch', 'watches', { add: [], drop: [] }, watches],
  ['bus watch a room:x bus:*', 'watches', { target: 'a', set: ['room:x', 'bus:*'] }, watches],
  ['bus watch room:x', 'watches', { set: ['room:x'] }, watches],
  ['bus watch a --add room:x --drop bus:*', 'watches', { target: 'a', add: ['room:x'], drop: ['bus:*'] }, watches],
  ['bus control --agent a', 'controls', { target: 'a' }, controls],
  ['decision log x', 'decide', { text: 'x' }, { ...decision, checkpoint: null }],
  [
    'decision list --limit 2 --search x',
    'decisions',
    { last: '2', search: 'x' },
    { decisions: [decision], total: 1, every: 20 },
  ],
]

describe('a command', () => {
  test.each(asking)('%s: asks for it, and prints what comes', async (line, route, input, value) => {
    daemon.answers[route] = { value }
    expect(await rein(...line.split(' '))).toMatchObject({ code: 0, stderr: '' })
    const { code, stdout } = await rein(...line.split(' '), '--json')
    expect({ code, output: JSON.parse(stdout) }).toEqual({ code: 0, output: value })
    const [asked] = daemon.asked
    expect({ ...asked?.query, ...asked?.input }).toMatchObject({ cwd: daemon.home, ...input })
    daemon.answers[route] = { error: 'refused' }
    expect(await rein(...line.split(' '))).toMatchObject({ code: 5, stderr: 'rein: fake refused\n      fake hint\n' })
  })

  test.each([
    ['chat read general --peek', '--peek goes with --unread'],
    ['chat read general --unread --after 3', 'would count as read'],
    ['chat read general --since yesterday', 'a time is a duration before now'],
    ['chat send General x', 'up to 32 of a-z'],
    ['chat send general', 'needs TEXT'],
    ['chat archive general', '--keep'],
    ['chat export general --format text --json', 'not both'],
    ['chat general', 'needs a terminal'],
    ['bus ack', 'Name events, or give --all'],
    ['bus ack evt_1 --all', 'Name events, or give --all'],
    ['bus publish x --priority urgent', 'it takes critical, high, normal, low'],
    ['bus watch a room:x --add room:y', '--add and --drop'],
    ['bus watch a foo:x', 'a subject is'],
    ['bus watch a --add x', 'a subject is'],
    ['bus publish Bad', 'a type has'],
    ['chat read general --limit x', 'whole number'],
  ])('%s: is refused before anybody is asked', async (line, why) => {
    const { code, stdout, stderr } = await rein(...line.split(' '))
    expect([code, `${stdout}${stderr}`]).toEqual([2, expect.stringContaining(why)])
    expect(daemon.asked).toEqual([])
  })

  test('what is said may come from standard input, and each message has an id of its own', async () => {
    daemon.answers = {
      post: { value: posted },
      publish: { value: published },
      decide: { value: { ...decision, checkpoint: null } },
    }
    await reinWith('two\nlines\n', 'chat', 'send', 'general', '-')
    await reinWith('{"a":1}', 'bus', 'publish', 'x', '-', '--to', 'all')
    await reinWith('why\n', 'decision', 'log', '-')
    expect(daemon.asked.map(({ input }) => input)).toMatchObject([
      { text: 'two\nlines', id: expect.stringMatching(/^post_[\w-]{36}$/) },
      { payload: '{"a":1}' },
      { text: 'why' },
    ])
    expect(daemon.asked[1]?.input).not.toHaveProperty('to')
  })

  test('a control line that is refused is a failure', async () => {
    daemon.answers.control = { error: 'usage' }
    expect((await rein('bus', 'control', 'regster')).code).toBe(2)
  })
})

describe('rein chat read --unread', () => {
  const isConfirm = ({ path: asked }: { path: string }): boolean => asked === '/v1/rooms/cursor'

  test('confirms what it has printed, archived ones included', async () => {
    daemon.answers = { posts: { value: { ...page([post(3), post(4)], 7), upTo: 5 } }, moveCursor: { value: {} } }
    const { stdout } = await rein('chat', 'read', 'general', '--unread')
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^#3 .* you: m3$/),
      expect.stringMatching(/^#4 /),
      '(7 more.)',
      '',
    ])
    expect(daemon.asked.filter(isConfirm).map(({ input }) => input)).toEqual([
      { cwd: daemon.home, room: 'general', upTo: 5 },
    ])
  })

  test('confirms nothing where nothing was unread, or it was only looked at', async () => {
    daemon.answers = { posts: { value: page([]) }, moveCursor: { value: {} } }
    await rein('chat', 'read', 'general', '--unread')
    daemon.answers.posts = { value: page([post(1)]) }
    await rein('chat', 'read', 'general', '--unread', '--peek')
    await rein('chat', 'read', 'general')
    expect(daemon.asked.filter(isConfirm)).toEqual([])
  })

  test('a reader that has gone has read nothing', async () => {
    const long = Array.from({ length: 100 }, (_, n) => ({ ...post(n + 1), text: 'x'.repeat(10_000) }))
    daemon.answers = { posts: { value: page(long) }, moveCursor: { value: {} } }
    const child = spawn(process.execPath, [program, 'chat', 'read', 'general', '--unread'], {
      env: environment(),
      cwd: daemon.home,
    })
    child.stdout.destroy()
    await once(child, 'exit')
    expect(daemon.asked.filter(isConfirm)).toEqual([])
  })
})

describe('rein chat export', () => {
  beforeEach(() => {
    const rest = (after: number): PostsView => (after === 2 ? page([post(3), post(4)], 1) : page([post(5)]))
    daemon.answers.posts = ({ query }) => ({
      value: query['since'] === '0' ? page([post(1), post(2)], 3) : rest(Number(query['after'])),
    })
  })

  test('prints all pages, one message a line', async () => {
    const { stdout } = await rein('chat', 'export', 'general')
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([1, 2, 3, 4, 5].map(post))
  })

  test('or as text, or into a file, whole or not at all', async () => {
    const { stdout } = await rein('chat', 'export', 'general', '--format', 'text', '--output', 'out.txt')
    const file = path.join(daemon.home, 'out.txt')
    expect(stdout).toBe(`5 messages in ${file}\n`)
    expect(readFileSync(file, 'utf8').split('\n')[4]).toMatch(/^#5 2026-01-0\d \d\d:\d\d you: m5$/)
    writeFileSync(file, 'before')
    daemon.answers.posts = ({ query }) =>
      query['since'] === '0' ? { value: page([post(1)], 3) } : { error: 'cursor_expired' }
    expect((await rein('chat', 'export', 'general', '--output', 'out.txt')).code).not.toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('before')
  })

  test('a file that cannot be written is named', async () => {
    const { code, stderr } = await rein('chat', 'export', 'general', '--output', 'no/such/dir')
    expect([code, stderr]).toEqual([1, expect.stringContaining('no/such/dir')])
    const json = await rein('chat', 'export', 'general', '--output', 'out', '--json')
    expect(JSON.parse(json.stdout)).toEqual({ file: path.join(daemon.home, 'out'), posts: 5 })
  })
})

describe('rein chat', () => {
  test('is the list of rooms without a terminal', async () => {
    daemon.answers.rooms = { value: [room] }
    expect((await rein('chat')).stdout).toContain('general')
  })

  test('follows with --json', async () => {
    const change = { rooms: [room], room: 'general', posts: [post(1)] }
    daemon.answers.followRooms = { lines: [change, change] }
    const { stdout } = await rein('chat', 'general', '--json')
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([change, change])
    expect(daemon.asked[0]?.query).toEqual({ cwd: daemon.home, room: 'general' })
  })

  test('is completed with its commands and rooms', async () => {
    daemon.answers.rooms = { value: [room] }
    const { stdout } = await rein('__complete', 'chat', '')
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(expect.arrayContaining(['send', 'general']))
  })
})
