import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorld, type TestWorld } from '../../test/support/adapter-world.ts'
import { now } from '../../test/support/builders.ts'
import type { Adapter, OutgoingMessage } from './sdk/adapter.ts'
import { notify } from './notify.ts'

let world: TestWorld
let adapter: Adapter | undefined

const notice = { event: 'asks', handle: 'worker', project: 'shop', at: now, what: '$(touch pwned) <b>rm</b>\u001b[2J' }

/** What one message becomes. */
const show = async (config: object, given: Partial<OutgoingMessage> = {}) => {
  adapter = await notify.start(notify.config.parse(config), world)
  world.daemon.say(JSON.stringify(notice), { from: null, ...given })
  await world.daemon.until(() => world.daemon.settled.length === 1)
  return world.daemon.settled[0]
}
const written = (name: string): string => readFileSync(join(world.dir, name), 'utf8')

beforeEach(() => {
  world = createWorld({ env: { PATH: process.env['PATH'] } })
})

afterEach(async () => {
  await adapter?.shutdown()
  adapter = undefined
})

test('a program of the person gets who asks, and what only if that is wanted', async () => {
  const command = ['/bin/sh', '-c', 'cat > json; printf %s "$REIN_EVENT $REIN_NOTICE_HANDLE" > env']
  await show({ command })
  expect(JSON.parse(written('json'))).toEqual({ ...notice, what: '' })
  expect(written('env')).toBe('asks worker')
})

test('with details it gets all of it, and nothing of that is run', async () => {
  await show({ command: ['/bin/sh', '-c', 'cat > json'], details: true })
  expect(JSON.parse(written('json'))).toEqual(notice)
  expect(existsSync(join(world.dir, 'pwned'))).toBe(false)
})

test('a desktop shows who asks, and no markup or control character of what is asked', async () => {
  const file = join(world.dir, 'notify-send')
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > '${join(world.dir, 'shown')}'\n`, { mode: 0o755 })
  world = { ...world, env: { PATH: `${world.dir}:${process.env['PATH']}` } }
  await show({ details: true })
  expect(written('shown')).toBe(
    '--app-name=Rein\n--\nworker asks you\n$(touch pwned) &lt;b&gt;rm&lt;/b&gt;\\u{1b}[2J\n',
  )
})

test.each([
  ['events that nobody chose', { events: ['crashed'] }, {}],
  ['what an agent says itself', {}, { from: { id: 'agt_1', project: 'shop', handle: 'worker' } }],
  ['old news', {}, { at: -1e15 }],
  ['what is no notice', {}, { text: 'hello' }],
])('%s are not shown', async (_, config, given) => {
  const result = await show({ command: ['/bin/sh', '-c', 'touch shown'], ...config }, given)
  expect(result?.error).toBeUndefined()
  expect(existsSync(join(world.dir, 'shown'))).toBe(false)
})

test('without a program to notify with, that is said', async () => {
  world = { ...world, env: { PATH: '/nonexistent' } }
  expect(await show({})).toMatchObject({ error: 'There is no program to notify with.', retryInMs: null })
})
