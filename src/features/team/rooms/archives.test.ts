import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../../../test/support/any-text.ts'
import { person } from '../../../../test/support/builders.ts'
import { counting, project, say, saying, startRooms, texts } from '../../../../test/support/rooms-harness.ts'

const linesOf = (file: string | null): string[] =>
  readFileSync(file ?? '', 'utf8')
    .split('\n')
    .slice(0, -1)

test('an archive holds what was there, to the letter, for this user alone', async () => {
  const world = startRooms()
  const build = await world.room()
  const posts = world.posted
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        anyText.filter((text) => text.trim() !== ''),
        { minLength: 1, maxLength: 5 },
      ),
      async (given) => {
        posts.length = 0
        await say(world, given)
        expect(texts((await world.rooms.page(build, { limit: 10, last: given.length })).posts)).toEqual(given)
        const { file, archived } = await world.rooms.archive(build, 0, person)
        expect(linesOf(file).map((line) => JSON.parse(line))).toEqual(posts.map(({ post }) => post))
        expect(archived).toBe(given.length)
        expect([statSync(file ?? '').mode & 0o777, statSync(world.archiveDir).mode & 0o777]).toEqual([0o600, 0o700])
      },
    ),
    { numRuns: 40 },
  )
})

test('an archive of what is there already holds nothing again', async () => {
  const world = startRooms()
  const build = await world.room()
  expect(await world.rooms.archive(build, 0, person)).toEqual({ archived: 0, upTo: 0, file: null })
  await say(world, counting(5))
  const archive = (keep: number) => world.rooms.archive(build, keep, person)
  const both = await Promise.all([archive(3), archive(1)])
  expect(both).toMatchObject([
    { archived: 2, upTo: 2 },
    { archived: 2, upTo: 4 },
  ])
  expect(await archive(1)).toEqual({ archived: 0, upTo: 4, file: null })
  expect(readdirSync(world.archiveDir).toSorted()).toEqual([
    `${project}.build.1-2.ndjson`,
    `${project}.build.3-4.ndjson`,
  ])
})

test('an archive is made by itself when a room holds a fifth more than it keeps', async () => {
  const world = startRooms({ keep: 10 })
  const build = await world.room()
  await say(world, counting(12))
  const { first } = await world.rooms.archive(build, 100, person).then(() => world.rooms.get(project, 'build'))
  expect(first).toBe(1)
  await say(world, ['m13'])
  await world.rooms.archive(build, 100, person)
  expect(world.rooms.get(project, 'build')).toMatchObject({ first: 4, last: 13 })
  expect(world.troubles).toEqual([])
})

test('an archive that fails leaves the room as it was, is told, and tried again when more has come', async () => {
  const world = startRooms({ keep: 20 })
  const build = await world.room()
  writeFileSync(world.archiveDir, 'in the way')
  const troublesAfter = async (count: number): Promise<number> => {
    await say(world, counting(count))
    await world.rooms.archive(build, 100, person)
    return world.troubles.length
  }
  expect([await troublesAfter(25), await troublesAfter(1), await troublesAfter(1)]).toEqual([1, 1, 2])
  expect(world.rooms.get(project, 'build')).toMatchObject({ first: 1, last: 27 })
  rmSync(world.archiveDir)
  expect(await troublesAfter(2)).toBe(2)
  expect(world.rooms.get(project, 'build')).toMatchObject({ first: 10, last: 29 })
})

test('an archive gives others a turn while it is written, and they find all or the rest', async () => {
  const world = startRooms()
  const { rooms } = world
  const build = await world.room()
  await world.append(counting(3000).map((text) => rooms.draft(saying(text))))
  const archive = { isDone: false }
  const archived = rooms.archive(build, 10, person).finally(() => (archive.isDone = true))
  let turns = 0
  while (!archive.isDone) {
    const { posts, left } = await rooms.page(build, { limit: 1, last: 5000 })
    expect([1, 2991]).toContain(posts[0]?.n)
    expect((posts[0]?.n ?? 0) + left).toBe(3000 + turns)
    await rooms.post(saying('meanwhile'))
    turns += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect([linesOf((await archived).file).length, turns > 10]).toEqual([2990, true])
  expect(rooms.get(project, 'build').last).toBe(3000 + turns)
})

test('an archive is not made where others could read it', async () => {
  const world = startRooms()
  const build = await world.room()
  await say(world, ['secret'])
  mkdirSync(world.archiveDir)
  chmodSync(world.archiveDir, 0o755)
  await expect(world.rooms.archive(build, 0, person)).rejects.toThrow('is open to other users')
  expect(world.rooms.get(project, 'build').first).toBe(1)
})
