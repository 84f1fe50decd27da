import { describe, expect, test } from 'vitest'
import { person } from '../../../../test/support/builders.ts'
import {
  actorOf,
  code,
  numbers,
  project,
  say,
  saying,
  startRooms,
  texts,
} from '../../../../test/support/rooms-harness.ts'
import type { Actor } from '../../../contract/identity.ts'
import { userMember } from '../../../contract/person.ts'
import { isPausedAt } from './room.ts'

const hint = (part: string) => expect.objectContaining({ hint: expect.stringContaining(part) })
const daemon: Actor = { kind: 'daemon' }

describe('a room', () => {
  test('the same name again is the same room, also at the same time; in another project it is another', async () => {
    const { rooms, posted } = startRooms()
    const [one, two] = await Promise.all([
      rooms.create(project, 'build', 'what breaks', person),
      rooms.create(project, 'build', 'something else', person),
    ])
    expect(two).toEqual(one)
    expect(await rooms.create(project, 'build', 'third', person)).toMatchObject({ about: 'what breaks', last: 0 })
    const other = await rooms.create('other-1', 'build', 'elsewhere', person)
    expect([other.key, other.about, posted]).toEqual(['other-1/build', 'elsewhere', []])
    expect(rooms.all(project).map(({ name }) => name)).toEqual(['build'])
    expect(rooms.all(null).map(({ key }) => key)).toEqual(['other-1/build', `${project}/build`])
  })

  test.each(['', 'Build', 'a/b', '..', 'a.b', 'x'.repeat(33)])('%j is no name of a room', async (name) => {
    const { rooms } = startRooms()
    await expect(rooms.create(project, name, '', person)).rejects.toEqual(code('usage'))
  })

  test('one that is not there: which was meant, or how to make it', async () => {
    const { rooms, room } = startRooms()
    expect(() => rooms.get(project, 'build')).toThrow(hint('rein chat create build'))
    await room('build')
    expect(() => rooms.get(project, 'biuld')).toThrow(hint('build'))
    expect(() => rooms.get('other-1', 'build')).toThrow(code('unknown_room'))
    await expect(rooms.post(saying('x', person, { name: 'deploy' }))).rejects.toEqual(code('unknown_room'))
    expect([rooms.has(`${project}/build`), rooms.has(`${project}/deploy`)]).toEqual([true, false])
  })

  test('paused: until it is said otherwise, or until a time', async () => {
    const { rooms, room, clock } = startRooms()
    const build = await room()
    const isPaused = (after: number) => isPausedAt(rooms.get(project, build.name), clock.now + after)
    expect(isPaused(0)).toBe(false)
    await rooms.pause(build, true, null, person)
    expect(isPaused(1e9)).toBe(true)
    expect(await rooms.pause(build, true, clock.now + 500, person)).toMatchObject({ pausedUntil: clock.now - 1 + 500 })
    expect([isPaused(0), isPaused(500)]).toEqual([true, false])
    expect(await rooms.pause(build, false, clock.now + 500, person)).toMatchObject({
      isPaused: false,
      pausedUntil: null,
    })
    expect(isPaused(0)).toBe(false)
  })
})

describe('a post', () => {
  test('has the next number in its room and is announced once, in order', async () => {
    const { rooms, room, posted } = startRooms()
    await room()
    await room('other')
    const there = saying('there', person, { name: 'other' })
    const given = [saying('one'), there, saying('two'), saying('three')]
    const all = await Promise.all(given.map((one) => rooms.post(one)))
    expect(numbers(all.map(({ post }) => post))).toEqual([1, 1, 2, 3])
    expect(posted).toEqual(all.map(({ post, seq }) => ({ post, seq })))
    expect(rooms.get(project, 'build')).toMatchObject({ first: 1, last: 3, lastAt: all[3]?.post.at })
  })

  test('names agents of its project, never its author, and says whom nobody knows', async () => {
    const { rooms, room, agent } = startRooms()
    await room()
    const [ann, bob] = [await agent('ann'), await agent('bob')]
    await agent('cy', 'other-1')
    const text = '@ann, @BOB! and @bob: what of @cy, @bob? and @nobody @nobody?'
    const { post, unknown } = await rooms.post(saying(text, actorOf(ann)))
    expect(post.mentions).toEqual([
      { agent: bob, kind: 'urgent' },
      { agent: bob, kind: 'query' },
    ])
    expect(unknown).toEqual(['cy', 'nobody'])
  })

  test('to all: everybody who is there but its author, the strongest way counts', async () => {
    const { rooms, room, agent } = startRooms()
    await room()
    const [ann, bob, cy] = [await agent('ann'), await agent('bob_'), await agent('cy')]
    const { post } = await rooms.post(saying('@bob_! @all _@cy_', actorOf(ann)))
    expect(post.mentions).toEqual([
      { agent: bob, kind: 'urgent' },
      { agent: cy, kind: 'plain' },
    ])
    const { post: pressing } = await rooms.post(saying('@all and @cy!', actorOf(bob)))
    expect(pressing.mentions.map(({ kind }) => kind)).toEqual(['plain', 'urgent'])
    const { post: asked, unknown } = await rooms.post(saying('@all?'))
    expect(asked.mentions.map(({ kind }) => kind)).toEqual(['query', 'query', 'query'])
    expect(unknown).toEqual([])
  })

  test('of Rein names whom it is told to, whatever stands in it', async () => {
    const { rooms, room, agent } = startRooms()
    await room()
    const [ann, bob] = [await agent('ann'), await agent('bob')]
    const mentions = [{ agent: bob, kind: 'plain' as const }]
    const { post } = await rooms.post(saying('@ann', daemon, { kind: 'checkin', mentions }))
    expect([post.mentions, post.kind, ann.handle]).toEqual([mentions, 'checkin', 'ann'])
  })

  test('the same id again is the same post, also at the same time and after it was archived', async () => {
    const { rooms, room, posted } = startRooms()
    const build = await room()
    const given = saying('once @nobody', person, { id: 'post_1' })
    const [one, two] = await Promise.all([rooms.post(given), rooms.post(given)])
    expect(two).toEqual(one)
    await rooms.archive(build, 0, person)
    expect(await rooms.post(given)).toEqual(one)
    expect([posted.length, one.unknown, rooms.get(project, 'build').last]).toEqual([1, ['nobody'], 1])
  })

  test('the same id for something else is refused', async () => {
    const { rooms, room, agent } = startRooms()
    await room()
    await room('other')
    const ann = actorOf(await agent('ann'))
    const given = saying('once', person, { id: 'post_1' })
    await rooms.post(given)
    for (const other of [{ text: 'twice' }, { name: 'other' }, { author: ann }])
      await expect(rooms.post({ ...given, ...other })).rejects.toEqual(code('refused'))
  })

  test('that cannot be written leaves no number, and nobody hears of it', async () => {
    const world = startRooms()
    const { rooms, room, posted, disk } = world
    await room()
    await say(world, ['one'])
    disk.after = ({ type }) => {
      if (type === 'chat.posted') throw new Error('disk full')
    }
    await expect(rooms.post(saying('lost', person, { id: 'post_1' }))).rejects.toThrow('disk full')
    disk.after = () => undefined
    expect((await rooms.post(saying('two', person, { id: 'post_1' }))).post.n).toBe(2)
    expect(posted.map(({ post }) => post.text)).toEqual(['one', 'two'])
  })

  test('drafted goes to the disk together with other records, and is announced then', async () => {
    const { rooms, room, posted, append } = startRooms()
    await room()
    const draft = rooms.draft(saying('hello', daemon, { id: 'post_checkin', mentions: [], kind: 'checkin' }))
    expect(() => rooms.announce('post_checkin')).toThrow(code('failed'))
    await append([draft, draft])
    expect([rooms.announce('post_checkin').n, texts(posted.map(({ post }) => post))]).toEqual([1, ['hello']])
  })

  test.each([
    ['no text', ' \n', 'empty_text'],
    ['half a character', 'a\ud800', 'invalid_text'],
    ['too much', 'ä'.repeat(6), 'text_too_large'],
  ])('%s is refused, and nothing is kept', async (_, text, wanted) => {
    const { rooms, room, posted } = startRooms({ maxTextBytes: 10 })
    await room()
    await expect(rooms.post(saying(text))).rejects.toEqual(code(wanted))
    expect([rooms.get(project, 'build').last, posted]).toEqual([0, []])
  })

  test('of a mebibyte comes back as it was', async () => {
    const world = startRooms()
    const { rooms, room, agent } = world
    const build = await room()
    const text = `${'ä'.repeat(2 ** 19 - 4)}\n@bob 👩`.slice(0, 2 ** 19)
    await agent('bob')
    const large = 'x'.repeat(2 ** 20)
    await say(world, [text, large])
    expect(texts(rooms.unreadPage(build, userMember, 10).posts)).toEqual([])
    expect(texts((await rooms.page(build, { limit: 10 })).posts)).toEqual([text, large])
  })
})
