import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { away, createWorld, type TestWorld } from '../../test/support/adapter-world.ts'
import type { Adapter } from './sdk/adapter.ts'
import { ReinError } from '../contract/errors.ts'
import { watch } from './watch.ts'

let world: TestWorld
let adapter: Adapter | undefined

const put = (name: string, text = 'x'): void => writeFileSync(join(world.dir, 'files', name), text)

const start = async (config: object = {}): Promise<void> => {
  world.lines.length = 0
  adapter = await watch.start(watch.config.parse({ path: 'files', debounceMs: 10, ...config }), world)
  await world.logged(/^Watching \d+ files in /)
}
const stop = async (): Promise<void> => {
  await adapter?.shutdown()
  adapter = undefined
}
const messages = async (count: number): Promise<string[]> => {
  await world.daemon.until(() => world.daemon.received.length === count)
  return world.daemon.received.map(({ text }) => text)
}

beforeEach(() => {
  world = createWorld()
  mkdirSync(join(world.dir, 'files'))
  put('old')
  put('gone')
})

afterEach(stop)

test('a burst is one message, with every name in quotes', async () => {
  await start()
  put('new "one"')
  put('two\nlines')
  put('old', 'changed')
  rmSync(join(world.dir, 'files/gone'))
  expect(await messages(1)).toEqual([
    [
      `Files changed in ${JSON.stringify(join(world.dir, 'files'))}:`,
      'deleted "gone"',
      'created "new \\"one\\""',
      'changed "old"',
      'created "two\\nlines"',
    ].join('\n'),
  ])
})

test('a directory that is made anew is watched, too', async () => {
  await start({ text: 'Look:' })
  mkdirSync(join(world.dir, 'files/sub'))
  put('sub/a')
  expect(await messages(1)).toEqual(['Look:\ncreated "sub/a"'])
  rmSync(join(world.dir, 'files/sub'), { recursive: true })
  mkdirSync(join(world.dir, 'files/sub'))
  expect((await messages(2))[1]).toBe('Look:\ndeleted "sub/a"')
  put('sub/b')
  expect((await messages(3))[2]).toBe('Look:\ncreated "sub/b"')
})

test('only what is wanted is told', async () => {
  await start({ files: ['*.md'], ignore: ['drafts'], text: 'Look:' })
  mkdirSync(join(world.dir, 'files/drafts'))
  put('drafts/a.md')
  put('a.txt')
  put('a.md')
  expect(await messages(1)).toEqual(['Look:\ncreated "a.md"'])
})

test('many names are cut short', async () => {
  await start({ text: 'Look:' })
  for (let number = 100; number < 160; number += 1) put(`f${number}`)
  const lines = (await messages(1))[0]?.split('\n') ?? []
  expect([lines.length, lines.at(-2), lines.at(-1)]).toEqual([52, 'created "f149"', 'and 10 more'])
})

test('what changed while it was down is told, once', async () => {
  await start({ text: 'Look:' })
  await stop()
  put('meanwhile')
  await start({ text: 'Look:' })
  expect(await messages(1)).toEqual(['Look:\ncreated "meanwhile"'])
  await stop()
  await start({ text: 'Look:' })
  put('later')
  expect(await messages(2)).toEqual(['Look:\ncreated "meanwhile"', 'Look:\ncreated "later"'])
})

test('what is there when it is watched for the first time is not told', async () => {
  await start({ text: 'Look:' })
  await stop()
  put('b.md')
  await start({ text: 'Look:', files: ['*.md'] })
  put('c.md')
  expect(await messages(1)).toEqual(['Look:\ncreated "c.md"'])
})

test('what the daemon did not get is told the next time', async () => {
  world.daemon.failures.receive.push(away())
  await start({ text: 'Look:' })
  put('a')
  await world.logged(/not running/)
  await stop()
  await start({ text: 'Look:' })
  expect(await messages(1)).toEqual(['Look:\ncreated "a"'])
})

test('the same change is told each time that it happens', async () => {
  await start({ text: 'Look:' })
  const names = ['old', 'new', 'old', 'new']
  for (const [index, name] of names.slice(1).entries()) {
    renameSync(join(world.dir, 'files', names[index] ?? ''), join(world.dir, 'files', name))
    await messages(index + 1)
  }
  const there = 'Look:\ncreated "new"\ndeleted "old"'
  expect(await messages(3)).toEqual([there, 'Look:\ndeleted "new"\ncreated "old"', there])
})

test('what was told just before a crash is the same message afterwards', async () => {
  const ids: string[] = []
  const receive = world.daemon.receive.bind(world.daemon)
  world.daemon.receive = async (...given) => {
    const accepted = await receive(...given)
    ids.push(accepted.id)
    return accepted
  }
  await start({ text: 'Look:' })
  const file = join(world.state, 'adapters/watch-watch.json')
  const before = readFileSync(file)
  put('a')
  await messages(1)
  await stop()
  writeFileSync(file, before)
  await start({ text: 'Look:' })
  await world.daemon.until(() => ids.length === 2)
  expect([ids, await messages(1)]).toEqual([['msg_1', 'msg_1'], ['Look:\ncreated "a"']])
})

test('what the daemon refuses is not told again', async () => {
  world.daemon.failures.receive.push(new ReinError('forbidden', 'Nobody may.'))
  await start({ text: 'Look:' })
  put('a')
  expect(await world.logged(/refused/)).toBe('A message was refused: Nobody may.')
  put('b')
  expect(await messages(1)).toEqual(['Look:\ncreated "b"'])
})

test('a directory has to be there', async () => {
  await expect(start({ path: 'nowhere' })).rejects.toThrow(`path: ${join(world.dir, 'nowhere')} is not a directory.`)
})
