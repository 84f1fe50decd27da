import { describe, expect, test } from 'vitest'
import { person } from '../../../../test/support/builders.ts'
import {
  actorOf,
  code,
  counting,
  numbers,
  project,
  say,
  saying,
  startRooms,
  texts,
} from '../../../../test/support/rooms-harness.ts'
import { userMember } from '../../../contract/person.ts'
import type { Page, PageQuery } from './room.ts'

describe('a page', () => {
  const found = async (query: Partial<PageQuery>): Promise<{ numbers: number[]; left: number }> => {
    const { rooms, room, clock } = startRooms()
    const build = await room()
    const start = clock.now
    for (const [index, text] of counting(9).entries()) {
      clock.now = start + index * 1000
      await rooms.post(saying(text))
    }
    await rooms.archive(build, 7, person)
    const since = query.since === undefined ? {} : { since: start + query.since }
    const { posts, left } = await rooms.page(build, { limit: 100, ...query, ...since })
    return { numbers: numbers(posts), left }
  }

  test.each<[string, Partial<PageQuery>, number[], number]>([
    ['all that is there', {}, [3, 4, 5, 6, 7, 8, 9], 0],
    ['the newest', { limit: 2 }, [8, 9], 5],
    ['after a number', { after: 6 }, [7, 8, 9], 0],
    ['after a number, so many', { after: 2, limit: 2 }, [3, 4], 5],
    ['after the end', { after: 9 }, [], 0],
    ['before a number', { before: 6, limit: 2 }, [4, 5], 1],
    ['before what is archived', { before: 2 }, [], 0],
    ['before the first', { before: 0 }, [], 0],
    ['between', { after: 4, before: 8 }, [5, 6, 7], 0],
    ['the last', { last: 3 }, [7, 8, 9], 0],
    ['the last, so many at a time', { last: 3, limit: 2 }, [7, 8], 1],
    ['more than there are', { last: 30 }, [3, 4, 5, 6, 7, 8, 9], 0],
    ['the last before', { last: 2, before: 5 }, [3, 4], 0],
    ['since a time', { since: 6000 }, [7, 8, 9], 0],
    ['since a time, so many', { since: 6000, limit: 1 }, [7], 2],
    ['since before all', { since: -1 }, [3, 4, 5, 6, 7, 8, 9], 0],
    ['since after all', { since: 60_000 }, [], 0],
    ['that hold a text', { search: 'M7' }, [7], 0],
    ['that hold a text, the newest', { search: 'm', limit: 2 }, [8, 9], 5],
    ['that hold a text, the last', { search: 'm', last: 2 }, [8, 9], 0],
    ['that hold a text, after a number', { search: 'm', after: 4, limit: 2 }, [5, 6], 3],
    ['that hold what is archived', { search: 'm1' }, [], 0],
  ])('%s', async (_, query, wanted, left) => expect(await found(query)).toEqual({ numbers: wanted, left }))

  test('after a number that is archived, or that is not there yet, is refused by name', async () => {
    await expect(found({ after: 1 })).rejects.toEqual(code('cursor_expired'))
    await expect(found({ after: 1 })).rejects.toThrow('before 3 are archived')
    await expect(found({ after: 10 })).rejects.toEqual(code('cursor_ahead'))
    await expect(found({ after: 1, search: 'm' })).rejects.toEqual(code('cursor_expired'))
  })

  test('text is found whatever its case, in any script', async () => {
    const world = startRooms()
    const build = await world.room()
    await say(world, ['STRASSE und ÄRGER', 'ärger', 'nothing'])
    expect(numbers((await world.rooms.page(build, { search: 'ärger', limit: 9 })).posts)).toEqual([1, 2])
  })

  test('of large posts holds few of them, at least one, and says how many are left', async () => {
    const world = startRooms({ maxTextBytes: 2 ** 23 })
    const build = await world.room()
    const ann = await world.agent('ann')
    const large = 'x'.repeat(3 * 2 ** 20)
    await say(world, ['small', large, large, `${large}${large}`])
    const page = (query: Partial<PageQuery>) => world.rooms.page(build, { limit: 10, ...query })
    expect(numbers((await page({})).posts)).toEqual([4])
    expect(await page({ after: 0 })).toMatchObject({ posts: [{ n: 1 }, { n: 2 }], left: 2 })
    expect(await page({ before: 4 })).toMatchObject({ posts: [{ n: 3 }], left: 2 })
    expect(world.rooms.unreadPage(build, ann.id, 10)).toMatchObject({ posts: [{ n: 1 }, { n: 2 }], left: 2, upTo: 2 })
  })

  test.each([300, 100])('that is looked for while all but %i are archived holds no gap', async (keep) => {
    const world = startRooms()
    const build = await world.room()
    await say(world, counting(1000))
    let page: Promise<Page> | undefined
    world.disk.before = ({ type }) => {
      if (type === 'room.archived') page = world.rooms.page(build, { search: 'm', after: 0, limit: 1000 })
    }
    await world.rooms.archive(build, keep, person)
    const { posts, left } = (await page) ?? { posts: [], left: -1 }
    expect([numbers(posts), left]).toEqual([Array.from({ length: keep }, (_, n) => 1001 - keep + n), 0])
  })
})

describe('what is unread', () => {
  test('is what others said since a member came or has read; looking changes nothing', async () => {
    const world = startRooms()
    const { rooms } = world
    const build = await world.room()
    await say(world, ['before'])
    const ann = await world.agent('ann')
    await say(world, ['one', 'two'])
    await say(world, ['mine'], actorOf(ann))
    await say(world, ['three'])
    const look = (limit = 10) => rooms.unreadPage(build, ann.id, limit)
    expect(look(2)).toMatchObject({ posts: [{ text: 'one' }, { text: 'two' }], left: 1, archived: 0, upTo: 3 })
    expect(look()).toMatchObject({ left: 0, upTo: 5 })
    expect(rooms.unread(ann.id, project)).toEqual(new Map([[build.key, 3]]))
    expect(await rooms.moveCursor(build, ann.id, 3, actorOf(ann))).toEqual({ cursor: 3, unread: 1 })
    expect(texts(look().posts)).toEqual(['three'])
    expect(await rooms.moveCursor(build, ann.id, 2, actorOf(ann))).toEqual({ cursor: 3, unread: 1 })
    await rooms.moveCursor(build, ann.id, 5, actorOf(ann))
    expect([look(), rooms.unread(ann.id, project)]).toEqual([{ posts: [], left: 0, archived: 0, upTo: 5 }, new Map()])
  })

  test('what one says itself moves its cursor only past what it has read', async () => {
    const world = startRooms()
    const build = await world.room()
    const ann = await world.agent('ann')
    const cursor = () => world.rooms.members(build).find(({ member }) => member === ann.id)
    await say(world, ['mine', 'mine too'], actorOf(ann))
    expect(cursor()).toMatchObject({ cursor: 2, unread: 0 })
    await say(world, ['theirs'])
    await say(world, ['mine again'], actorOf(ann))
    expect(cursor()).toMatchObject({ cursor: 2, unread: 1 })
    await world.rooms.moveCursor(build, ann.id, 3, actorOf(ann))
    expect(cursor()).toMatchObject({ cursor: 3, unread: 0 })
    await say(world, ['and again'], actorOf(ann))
    expect(cursor()).toMatchObject({ cursor: 5, unread: 0 })
  })

  test('two readers of one member both get it, and neither moves the other back', async () => {
    const world = startRooms()
    const build = await world.room()
    const ann = await world.agent('ann')
    await say(world, counting(10))
    const [slow, quick] = [3, 7].map((limit) => world.rooms.unreadPage(build, ann.id, limit))
    const move = (upTo = 0) => world.rooms.moveCursor(build, ann.id, upTo, actorOf(ann))
    const moved = await Promise.all([move(quick?.upTo), move(slow?.upTo)])
    expect(moved.map(({ cursor }) => cursor)).toEqual([7, 7])
    expect(numbers(world.rooms.unreadPage(build, ann.id, 10).posts)).toEqual([8, 9, 10])
  })

  test('a cursor cannot be put beyond the end', async () => {
    const world = startRooms()
    const build = await world.room()
    await say(world, ['one'])
    await expect(world.rooms.moveCursor(build, userMember, 2, person)).rejects.toEqual(code('cursor_ahead'))
  })

  test('an agent of another project has no cursor there, also one with the same handle', async () => {
    const world = startRooms()
    const [here, there] = [await world.agent('ann'), await world.agent('ann', 'other-1')]
    const build = await world.room()
    await world.room('build', 'other-1')
    await say(world, ['@ann'])
    expect(() => world.rooms.unreadPage(build, there.id, 10)).toThrow(code('refused'))
    await expect(world.rooms.moveCursor(build, there.id, 1, actorOf(there))).rejects.toEqual(code('refused'))
    expect(world.rooms.members(build).map(({ member }) => member)).toEqual([here.id, userMember])
    expect([world.rooms.unread(here.id, null).size, world.rooms.unread(there.id, null).size]).toEqual([1, 0])
    expect([...world.rooms.unreadMentions(here.id, project)]).toEqual([[build.key, 1]])
  })

  test('what was archived unread is counted, and passed by reading on', async () => {
    const world = startRooms()
    const { rooms } = world
    const build = await world.room()
    const ann = await world.agent('ann')
    await say(world, ['one'])
    await say(world, ['mine'], actorOf(ann))
    await say(world, ['two', 'three'])
    await rooms.archive(build, 1, person)
    expect(rooms.unreadPage(build, ann.id, 10)).toMatchObject({ posts: [{ n: 4 }], left: 0, archived: 2, upTo: 4 })
    expect(await rooms.moveCursor(build, ann.id, 1, actorOf(ann))).toEqual({ cursor: 1, unread: 2 })
    await rooms.archive(build, 0, person)
    expect(rooms.unreadPage(build, ann.id, 10)).toEqual({ posts: [], left: 0, archived: 2, upTo: 4 })
    expect(await rooms.moveCursor(build, ann.id, 4, actorOf(ann))).toEqual({ cursor: 4, unread: 0 })
  })

  test('ten thousand, for fifty members', async () => {
    const world = startRooms()
    const { rooms } = world
    const build = await world.room()
    const members = await Promise.all(Array.from({ length: 50 }, (_, n) => world.agent(`a${n}`)))
    await world.append(counting(10_000).map((text) => rooms.draft(saying(text))))
    const unread = members.map(({ id }) => rooms.unread(id, null).get(build.key))
    expect([new Set(unread), rooms.members(build).length]).toEqual([new Set([10_000]), 51])
    const [ann] = members
    if (ann === undefined) throw new Error('nobody')
    const seen: string[] = []
    for (;;) {
      const { posts, upTo, left } = rooms.unreadPage(build, ann.id, 999)
      seen.push(...texts(posts))
      await rooms.moveCursor(build, ann.id, upTo, actorOf(ann))
      if (left === 0) break
    }
    expect(seen).toEqual(counting(10_000))
    expect([rooms.unread(ann.id, null).size, rooms.unread(members[1]?.id ?? '', null).get(build.key)]).toEqual([
      0, 10_000,
    ])
  })
})
