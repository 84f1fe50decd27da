import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MemberView, PostView, RoomView } from '../../../contract/routes/team.ts'
import { cellWidth } from '../../cells.ts'
import { createStyle } from '../../output.ts'
import { paint } from '../terminal/line.ts'
import { type Command, press } from './keys.ts'
import {
  type Chat,
  choose,
  emptyChat,
  isAwaited,
  withChange,
  withMembers,
  withOlder,
  withPaste,
  withPosted,
  withUnsent,
} from './model.ts'
import { Seen } from './seen.ts'
import { paneOf, view } from './view.ts'

const at = new Date(2026, 0, 2, 10, 2).getTime()
const size = { columns: 100, rows: 20 }

const room = (name: string, more: Partial<RoomView> = {}): RoomView => ({
  name,
  project: 'shop',
  about: 'Who does what',
  posts: 9,
  first: 1,
  unread: 0,
  mentions: 0,
  members: 3,
  lastAt: at,
  paused: false,
  pausedUntil: null,
  ...more,
})

const post = (n: number, more: Partial<PostView> = {}): PostView => ({
  n,
  id: `post_${n}`,
  author: { kind: 'agent', id: 'agent_1', handle: 'worker-1' },
  from: 'agent worker-1',
  text: `message ${n}`,
  at,
  mentions: [],
  kind: 'message',
  withheld: false,
  ...more,
})

const range = (first: number, last: number, more: Partial<PostView> = {}): PostView[] =>
  Array.from({ length: last - first + 1 }, (_, index) => post(first + index, more))

const chatOf = (posts: PostView[], ...rooms: RoomView[]): Chat => {
  const known = rooms.length === 0 ? [room('general')] : rooms
  return withChange(emptyChat(['user', 'ada'], known[0]?.name ?? null), {
    rooms: known,
    room: known[0]?.name ?? null,
    posts,
  })
}

const shown = (chat: Chat, { columns, rows } = size): string[] =>
  view(chat, { columns, rows }).lines.map((line) => paint(line, columns, createStyle(false)).trimEnd())
const body = (chat: Chat, where = size): string[] =>
  shown(chat, where)
    .slice(1, -2)
    .map((line) => line.replace(/^.*│ ?/, ''))
    .filter(Boolean)
const pressed = (chat: Chat, ...keys: string[]): [Chat, Command | null] =>
  keys.reduce<[Chat, Command | null]>(([before], key) => press(before, key, size), [chat, null])
const write = (chat: Chat, text: string): [Chat, Command | null] => pressed(withPaste(chat, text), 'enter')

const member = (handle: string, more: Partial<MemberView> = {}): MemberView => ({
  handle,
  kind: 'agent',
  state: 'working',
  watches: true,
  cursor: 0,
  unread: 0,
  ...more,
})

describe('members', () => {
  const own = { from: 'ada', author: { kind: 'user' as const, name: 'ada' } }
  const members = [
    member('worker-1', { cursor: 9 }),
    member('worker-2', { state: 'idle' }),
    member('ada', { kind: 'person' }),
  ]
  const chat = withMembers(chatOf([post(9, own)]), 'general', members)

  test('are shown with their state, and who has read what was said', () => {
    const left = shown(chat).map((line) => line.split('│')[0]?.trim())
    expect(left.slice(2, 5)).toEqual(['── here', '● worker-1', '○ worker-2'])
    expect(body(chat).at(-1)).toBe('10:02 you: message 9  ✓ seen by worker-1')
    expect(isAwaited(chat)).toBe(true)
    const all = withMembers(
      chat,
      'general',
      members.map((one) => ({ ...one, cursor: 9 })),
    )
    expect([body(all).at(-1), isAwaited(all)]).toEqual(['10:02 you: message 9  ✓ seen by all', false])
    expect(body(chat, { columns: 60, rows: 20 }).at(-1)).toBe('10:02 you: message 9  ✓ seen by worker-1')
    expect(body(withMembers(chatOf([post(9, { ...own, text: 'x'.repeat(60) })]), 'general', members)).at(-1)).toBe(
      '      ✓ seen by worker-1',
    )
    expect(withMembers(chat, 'another', [])).toEqual(chat)
  })

  test('are named with Tab after an @, which else goes to the next room', () => {
    expect(pressed(withPaste(chat, 'Hi @w'), 'tab')[0]).toMatchObject({
      input: { text: 'Hi @worker-' },
      notice: '@worker-1  @worker-2',
    })
    expect(pressed(withPaste(chat, '@worker-2'), 'tab')[0].input.text).toBe('@worker-2 ')
    expect(pressed(withPaste(chat, '@A'), 'tab')[0].input.text).toBe('@All ')
    expect(pressed(withPaste(chat, '@x'), 'tab')[0].notice).toBe('No agent here is called @x.')
    const rooms = chatOf([], room('general'), room('ops'))
    expect(pressed(rooms, 'tab')[0].chosen).toBe('ops')
  })
})

describe('the view', () => {
  test('has rooms with what is unread, and the posts of the chosen one', () => {
    const chat = chatOf(
      [
        post(8, { text: 'Look:\n10:03 user: not from them' }),
        post(9, { from: 'the user', author: { kind: 'user', name: 'user' } }),
      ],
      room('general'),
      room('ops', { unread: 12, mentions: 2 }),
      room('build', { unread: 1 }),
    )
    const lines = shown(chat)
    expect(lines[0]).toBe('general · shop · 3 members · Who does what')
    expect(lines.slice(1, 4).map((line) => line.split('│')[0])).toEqual([
      '  build                1 ',
      '› general                ',
      '  ops              12 @2 ',
    ])
    expect(body(chat)).toEqual([
      expect.stringMatching(/^── 2026-01-02 ─+$/),
      '10:02 @worker-1: Look:',
      '      10:03 user: not from them',
      '10:02 you: message 9  ✓ sent',
    ])
    expect(lines.at(-1)).toBe('general>')
  })

  test('marks what is new, without one’s own, and each day', () => {
    const mine = { author: { kind: 'user', name: 'user' }, from: 'the user' } as const
    const posts = [post(1), post(2), post(3, mine), post(4, { at: at + 86_400_000 })]
    expect(body(chatOf(posts, room('general', { unread: 2 })))).toEqual([
      expect.stringContaining('── 2026-01-02 ─'),
      '10:02 @worker-1: message 1',
      expect.stringContaining('── new ─'),
      '10:02 @worker-1: message 2',
      '10:02 you: message 3  ✓ sent',
      expect.stringContaining('── 2026-01-03 ─'),
      '10:02 @worker-1: message 4',
    ])
  })

  test('highlights names, and one’s own most', () => {
    const text = '@worker-2! and @ADA, not @nobody or a@b.c'
    const chat = chatOf([post(1, { text, mentions: ['worker-2'] })])
    const tones = view(chat, size)
      .lines.flat()
      .filter(({ text: part }) => /^@[a-zA-Z0-9-]+$/.test(part))
    expect(tones).toEqual([
      { text: '@worker-2', tone: 'cyan' },
      { text: '@ADA', tone: 'inverse' },
      { text: '@nobody' },
      { text: '@b' },
    ])
  })

  test('says what is missing', () => {
    expect(body(withChange(emptyChat(['ada']), { rooms: [], room: null, posts: [] }))).toEqual([
      'A room is where you and the agents of this project talk to each other.',
      '  /create general      makes the first one',
      '  /help                shows all that you can type here',
    ])
    const quiet = withMembers(chatOf([], room('general', { posts: 0 })), 'general', [member('worker-1')])
    expect(body(quiet).slice(0, 3)).toEqual([
      'Nobody has said anything here yet.',
      '  Hello!               every agent here finds it when it looks',
      '  @worker-1 hello      wakes that agent; Tab completes its name',
    ])
    expect(body(chatOf([post(1, { withheld: true, text: 'secret' })])).at(-1)).toMatch(/: \(External message/)
    expect(shown({ ...chatOf([]), trouble: 'The daemon is not running.' })[0]).toBe('The daemon is not running.')
  })

  test('has the rooms in the title of a narrow terminal', () => {
    const chat = chatOf(range(1, 9), room('general'), room('ops', { unread: 12, mentions: 2 }), room('build'))
    const lines = shown(chat, { columns: 40, rows: 10 })
    expect(lines).toHaveLength(10)
    expect(lines[0]).toBe('general  build  ops 12 @2')
    expect(lines[7]).toBe('10:02 @worker-1: message 9')
    expect(lines.at(-1)).toBe('general>')
  })

  test('keeps the chosen of many rooms in sight', () => {
    const rooms = Array.from({ length: 100 }, (_, n) => room(`room-${String(n).padStart(2, '0')}`))
    const [chat] = pressed(chatOf([], ...rooms), 'shift-tab')
    expect(chat.chosen).toBe('room-99')
    expect(shown(chat).some((line) => line.startsWith('› room-99'))).toBe(true)
  })

  test('shows the cursor where it is written, also in a line that is too long', () => {
    expect(view(withPaste(chatOf([]), '漢字'), size).caret).toEqual({ row: 19, column: 'general> '.length + 4 })
    const long = withPaste(chatOf([]), `${'x'.repeat(300)}end`)
    expect(view(long, size).caret.column).toBe(99)
    expect(shown(long).at(-1)).toMatch(/^general> …x+end$/)
    const [back] = pressed(long, 'home')
    expect(view(back, size).caret.column).toBe('general> '.length)
    expect(shown(back).at(-1)).toMatch(/^general> x+…$/)
    expect(shown(withPaste(chatOf([]), 'a\nb')).at(-1)).toBe('general> a⏎b')
  })

  test('is never larger than the terminal, and nothing in it steers it', () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        'a',
        '漢',
        '🚀',
        '\u001b[2J',
        '\u0007',
        '\n',
        '\t',
        '\r',
        '\u009b',
        '\u202e',
        '❤️',
        '@ada',
        ' ',
      ),
    })
    const sizes = fc.record({ columns: fc.integer({ min: 1, max: 200 }), rows: fc.integer({ min: 1, max: 60 }) })
    const keys = fc.array(fc.constantFrom('pageup', 'pagedown', 'tab', 'left', 'enter', 'x', 'escape'), {
      maxLength: 5,
    })
    fc.assert(
      fc.property(fc.array(nasty), nasty, sizes, keys, (texts, typed, where, strokes) => {
        const posts = texts.map((text, index) =>
          post(index + 1, { text, from: text, author: { kind: 'channel', name: 'x', sender: null } }),
        )
        const rooms = [room('general', { about: typed, project: typed }), room('ops', { unread: 3 })]
        const chat = withPaste({ ...chatOf(posts, ...rooms), notice: typed || null }, typed)
        const end = strokes.reduce((before, key) => press(before, key, where)[0], chat)
        const { lines, caret } = view(end, where)
        expect(lines).toHaveLength(where.rows)
        expect(caret.column).toBeLessThan(where.columns)
        for (const line of lines.map((each) => paint(each, where.columns, createStyle(false)))) {
          expect(cellWidth(line)).toBeLessThanOrEqual(where.columns)
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('looking back', () => {
  const chat = chatOf(range(1, 100), room('general', { posts: 100, unread: 5 }))
  const last = (one: Chat): string | undefined => body(one).at(-1)

  test('goes by pages, and stays where it is when something comes', () => {
    expect(last(chat)).toBe('10:02 @worker-1: message 100')
    const [back] = pressed(chat, 'pageup')
    // 17 rows, of which one stays in sight; a rule says what is new.
    expect(last(back)).toBe('10:02 @worker-1: message 85')
    const more = withChange(back, { rooms: [...back.rooms], room: 'general', posts: [post(101)] })
    expect(last(more)).toBe('10:02 @worker-1: message 85')
    expect(shown(more).at(-2)).toContain('16 more below')
    expect(last(pressed(more, 'pagedown', 'pagedown')[0])).toBe('10:02 @worker-1: message 101')
    expect(last(pressed(more, 'escape')[0])).toBe('10:02 @worker-1: message 101')
    expect(last(pressed(back, 'pagedown')[0])).toBe(last(chat))
  })

  test('ends at the first, and asks for older ones if there are any', () => {
    const [top, command] = pressed(chat, ...Array.from({ length: 20 }, () => 'pageup'))
    expect(body(top).slice(0, 2)).toEqual([expect.stringContaining('──'), '10:02 @worker-1: message 1'])
    expect(command).toBeNull()
    const cut = chatOf(range(51, 60), room('general', { posts: 60 }))
    const [asking, wanted] = pressed(cut, 'pageup')
    expect(wanted).toEqual({ kind: 'older', room: 'general', before: 51 })
    expect(press(asking, 'pageup', size)[1]).toBeNull()
    const full = withOlder(asking, 'general', range(31, 50))
    expect(full.posts.map(({ n }) => n)).toEqual(range(31, 60).map(({ n }) => n))
    expect(press(full, 'pageup', size)[1]).toEqual({ kind: 'older', room: 'general', before: 31 })
    expect(withOlder(asking, 'other', range(1, 9)).posts).toBe(asking.posts)
  })

  test('rows of a long message are rows like others', () => {
    const long = chatOf([post(1, { text: Array.from({ length: 40 }, (_, n) => `line ${n}`).join('\n') }), post(2)])
    const [back] = pressed(long, 'pageup')
    expect(last(back)).toBe('      line 24')
    expect(last(pressed(back, 'pageup', 'pagedown')[0])).toBe('      line 31')
  })

  test('a text of any length is cut, and says where the rest is', () => {
    const rows = body(chatOf([post(7, { text: 'x'.repeat(1_000_000) })]))
    expect(rows.join(' ').replaceAll(/ +/g, ' ')).toMatch(/rein chat read general --after 6 --limit 1\)$/)
  })
})

describe('what was in sight is read', () => {
  const mine = { author: { kind: 'user', name: 'user' } } as const
  const unread = (posts: PostView[], count: number, more: Partial<RoomView> = {}): Chat =>
    chatOf(posts, room('general', { posts: posts.at(-1)?.n ?? 0, unread: count, ...more }))
  /** How far the room is read when these were looked at, one after the other. */
  const readIn = (chats: Chat[], where = size): number => {
    const seen = new Seen()
    for (const chat of chats) seen.note(chat, paneOf(where))
    return seen.upTo(chats.at(-1) ?? emptyChat([]))
  }

  test('all of it, if all fits', () => {
    expect(readIn([unread(range(1, 100), 5)])).toBe(100)
    expect(readIn([unread(range(1, 3), 3)])).toBe(3)
    expect(readIn([emptyChat([])])).toBe(0)
    expect(readIn([unread(range(1, 100), 5)], { columns: 80, rows: 3 })).toBe(0)
  })

  test('and nothing, as long as there is something unread above it', () => {
    // 17 rows: 84 to 100, and of older ones what a page up shows.
    const chat = unread(range(1, 100), 30)
    const [back] = pressed(chat, 'pageup')
    expect(readIn([chat])).toBe(0)
    expect(readIn([back])).toBe(84)
    expect(readIn([chat, back])).toBe(100)
    expect(readIn([chat, back, pressed(back, 'escape')[0]])).toBe(100)
  })

  test('what has yet to be loaded hinders it, what is archived does not', () => {
    const chat = unread(range(51, 60), 30)
    expect(readIn([chat])).toBe(0)
    expect(readIn([chat, withOlder(chat, 'general', range(31, 50))])).toBe(0)
    expect(readIn([unread(range(51, 60), 30, { first: 51 })])).toBe(60)
  })

  test('a post is if its beginning and its end were', () => {
    const long = unread([post(1, { text: Array.from({ length: 30 }, (_, n) => `line ${n}`).join('\n') }), post(2)], 2)
    const [back] = pressed(long, 'pageup')
    expect([readIn([long]), readIn([back]), readIn([long, back])]).toEqual([0, 0, 2])
  })

  test('without one’s own, and in each room', () => {
    const posts = [...range(1, 20), ...range(21, 60, mine), post(61)]
    expect(readIn([unread(posts, 1)])).toBe(61)
    expect(readIn([unread(posts, 2)])).toBe(0)
    const seen = new Seen()
    const here = unread(range(1, 9), 9)
    seen.note(here, paneOf(size))
    const there = { ...here, chosen: 'ops', rooms: here.rooms.map((one) => ({ ...one, name: 'ops' })) }
    expect([seen.upTo(here), seen.upTo(there)]).toEqual([9, 0])
  })

  test('what comes while one looks back is not', () => {
    const chat = unread(range(1, 100), 5)
    const [back] = pressed(chat, 'pageup')
    const more = withChange(back, {
      rooms: [room('general', { posts: 101, unread: 1 })],
      room: 'general',
      posts: [post(101)],
    })
    expect([readIn([more]), readIn([more, pressed(more, 'escape')[0]])]).toEqual([0, 101])
  })
})

describe('news', () => {
  test('come once, and after a gap replace what was there', () => {
    const chat = chatOf(range(1, 5))
    const heard = (posts: PostView[]): number[] =>
      withChange(chat, { rooms: [room('general')], room: 'general', posts }).posts.map(({ n }) => n)
    expect(heard(range(4, 6))).toEqual([1, 2, 3, 4, 5, 6])
    expect(heard(range(1, 5))).toEqual([1, 2, 3, 4, 5])
    expect(heard(range(8, 9))).toEqual([8, 9])
    expect(heard([])).toEqual([1, 2, 3, 4, 5])
  })

  test('of another room change only its counts', () => {
    const chat = chatOf(range(1, 5), room('general'), room('ops'))
    const next = withChange(chat, {
      rooms: [room('ops', { unread: 1 }), room('general')],
      room: 'ops',
      posts: [post(1)],
    })
    expect([next.posts, next.rooms[1]?.unread, next.chosen]).toEqual([chat.posts, 1, 'general'])
  })

  test('the first room is where one is named, else where something is unread', () => {
    const chosen = (...rooms: RoomView[]): string | null =>
      withChange(emptyChat([]), { rooms, room: null, posts: [] }).chosen
    expect(chosen(room('a'), room('b', { unread: 1 }), room('c', { unread: 9, mentions: 1 }))).toBe('c')
    expect(chosen(room('a'), room('b', { unread: 1 }))).toBe('b')
    expect(chosen(room('b'), room('a'))).toBe('a')
    expect(chosen()).toBeNull()
  })

  test('a view that is open for long keeps the newest', () => {
    const chat = chatOf(range(1, 1_999))
    const next = withChange(chat, { rooms: [room('general')], room: 'general', posts: range(2_000, 2_010) })
    expect([next.posts.length, next.posts[0]?.n]).toEqual([2_000, 11])
  })
})

describe('keys', () => {
  const chat = chatOf(range(1, 3), room('build'), room('general'), room('ops'))

  test('send what is written where it was written', () => {
    const [said, command] = write(chat, 'Hello\nall')
    expect(command).toEqual({ kind: 'send', room: 'build', text: 'Hello\nall', id: null })
    expect(said.input.text).toBe('')
    expect(pressed(said, 'up')[0].input.text).toBe('Hello\nall')
    expect(write(chat, '  ')[1]).toBeNull()
    expect(write(chat, '//etc is a path')[1]).toMatchObject({ text: '/etc is a path' })
    expect(write(emptyChat([]), 'x')).toEqual([
      expect.objectContaining({ notice: expect.stringContaining('/create') }),
      null,
    ])
  })

  test('switch rooms, each with what was begun there', () => {
    const [next] = pressed(withPaste(chat, 'for build'), 'tab')
    expect([next.chosen, next.input.text, next.posts]).toEqual(['general', '', []])
    expect(pressed(next, 'ctrl-n', 'tab')[0]).toMatchObject({ chosen: 'build', input: { text: 'for build' } })
    expect(pressed(next, 'ctrl-p')[0].chosen).toBe('build')
    expect(pressed(next, 'shift-tab', 'shift-tab')[0].chosen).toBe('ops')
    expect(pressed(emptyChat([]), 'tab')[0].chosen).toBeNull()
    expect(choose(chat, 'build')).toBe(chat)
  })

  test('a line that begins with a slash is a command', () => {
    expect(write(chat, '/create api the API and its users')[1]).toEqual({
      kind: 'create',
      room: 'api',
      about: 'the API and its users',
    })
    expect(write(chat, '/create')[0].notice).toContain('NAME')
    expect(write(chat, '/quit')[1]).toEqual({ kind: 'quit' })
    const [wrong] = write(chat, '/crate api')
    expect([wrong.notice, wrong.input.text]).toEqual(['There is no /crate: /help shows all.', '/crate api'])
    const [help] = write(chat, '/help')
    expect(body(help)[0]).toMatch(/^@handle /)
    expect(pressed(help, 'enter')[0]).toMatchObject({ helpPage: null, input: { text: '' } })
    expect(pressed(help, '@', 'w')[0]).toMatchObject({ helpPage: null, input: { text: '@w' } })
    const low = { columns: 40, rows: 10 }
    const [more] = press(help, ' ', low)
    expect(body(more, low)[0]).toMatch(/^\/\/ /)
    expect(press(press(more, ' ', low)[0], ' ', low)[0].helpPage).toBeNull()
    expect(press(more, 'escape', low)[0].helpPage).toBeNull()
  })

  test('leave', () => {
    expect(press(withPaste(chat, 'begun'), 'ctrl-c', size)[1]).toEqual({ kind: 'quit' })
    expect(press(chat, 'ctrl-d', size)[1]).toEqual({ kind: 'quit' })
    expect(press(withPaste(chat, 'begun'), 'ctrl-d', size)[1]).toBeNull()
  })

  test('what could not be sent is sent again as the same message', () => {
    const [said] = write(chat, 'Hello')
    const failed = withUnsent(said, { room: 'build', text: 'Hello', id: 'post_1' }, 'Not sent: no daemon')
    expect(shown(failed).at(-2)).toBe('Not sent: no daemon')
    expect(press(failed, 'enter', size)[1]).toEqual({ kind: 'send', room: 'build', text: 'Hello', id: 'post_1' })
    expect(pressed(failed, '!', 'enter')[1]).toMatchObject({ text: 'Hello!', id: null })
    const elsewhere = withUnsent(choose(said, 'ops'), { room: 'build', text: 'Hello', id: 'post_1' }, 'no')
    expect([elsewhere.input.text, choose(elsewhere, 'build').input.text]).toEqual(['', 'Hello'])
    expect(withUnsent(withPaste(said, 'more'), { room: 'build', text: 'Hello', id: 'post_1' }, 'no').input.text).toBe(
      'more',
    )
  })

  test('say what became of those who were named', () => {
    const posted = { id: 'post_1', room: 'build', n: 4, answers: [] }
    const mention = { handle: 'w', kind: 'plain', directive: null, damped: true } as const
    expect(withPosted(chat, { ...posted, mentions: [mention], unknown: ['wroker'] }).notice).toBe(
      'No agent here is called wroker. Only unread for w: enough of these wait there.',
    )
    expect(withPosted(chat, { ...posted, mentions: [], unknown: [] }).notice).toBeNull()
  })
})
