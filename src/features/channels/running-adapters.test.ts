import { EventEmitter, once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { now, person, tempDir } from '../../../test/support/builders.ts'
import type { AdapterEntry } from '../../contract/channel.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { processStartTime } from '../../base/util/process.ts'
import { Adapters } from './running-adapters.ts'

/** Does what its configuration is called. */
const script = `
const [kind, config] = process.argv.slice(2)
process.stdin.resume()
console.error(kind + ' ' + config + ' ' + process.env.WORD)
if (config === 'bad') { console.error('bad: field: is wrong'); process.exit(2) }
if (config === 'crash') process.exit(7)
if (config === 'endless') return process.stderr.write('é'.repeat(1_000_000) + '\\nend', () => process.exit(7))
if (config === 'babbler') return process.stdout.write('x'.repeat(1_000_000), () => { console.error('said it'); process.exit(7) })
process.on('SIGTERM', () => config === 'deaf' ? console.error('no') : process.exit(0))
console.log('ready')
`

const entry = (config: string, name = 'one'): AdapterEntry => ({ name, kind: 'fake', config })

const start = (given: { load?: AdapterEntry[]; longestWaitMs?: number } = {}) => {
  const path = join(tempDir(), 'adapter.cjs')
  writeFileSync(path, script)
  const records: AnyNewRecord[] = []
  const environments = new Map<string, Record<string, string>>()
  const clock = { now }
  const [heard, ended]: [string[], string[]] = [[], []]
  const events = new EventEmitter()
  let ids = 0
  const adapters = new Adapters({
    append: async (some) => some.map((one) => records.push(one)),
    load: () => given.load ?? [],
    environment: {
      keep: (id, env) => void environments.set(id, env),
      of: (id = '') => environments.get(id) ?? { WORD: 'none' },
      forget: (id) => void environments.delete(id),
    },
    script: path,
    longestWaitMs: given.longestWaitMs ?? 60_000,
    now: () => clock.now,
    newId: (prefix) => `${prefix}_${++ids}`,
    onSaid: (name, line) => {
      heard.push(`${name}: ${line}`)
      events.emit('said', line)
    },
    onEnded: (name, reason) => {
      ended.push(`${name}: ${reason}`)
      events.emit('ended')
    },
  })
  onTestFinished(() => adapters.close())
  const run = (config: string, name?: string) => adapters.run(entry(config, name), { WORD: 'kept' }, person)
  const said = async (line: string): Promise<void> => {
    while (!heard.some((one) => one.endsWith(line))) await once(events, 'said')
  }
  return { adapters, run, said, records, clock, heard, ended, events, environments }
}

const isAlive = (pid: number | null): boolean => pid !== null && processStartTime(pid) !== null

afterEach(() => void vi.useRealTimers())

test('runs with the environment that was kept, and is listed', async () => {
  const { adapters, run, records, heard } = start()
  const view = await run('good')
  expect(view).toMatchObject({ ...entry('good'), state: 'running', since: now, restarts: 0, error: null })
  expect([adapters.all, isAlive(view.pid)]).toEqual([[view], true])
  expect(records).toMatchObject([{ type: 'adapter.set', actor: person, body: { adapter: entry('good') } }])
  expect(heard).toEqual(['one: fake good kept'])
})

test('one that does not understand its configuration has failed, and is not started again', async () => {
  const { adapters, run, ended } = start()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const view = await run('bad')
  expect(view).toMatchObject({ state: 'failed', pid: null, error: 'fake bad kept\nbad: field: is wrong' })
  expect([ended, vi.getTimerCount()]).toEqual([['one: bad: field: is wrong'], 0])
  expect(adapters.all).toEqual([view])
})

test('one that crashes is started again, each time later, up to a limit', async () => {
  const { adapters, run, events, clock } = start({ longestWaitMs: 3_000 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  expect(await run('crash')).toMatchObject({ state: 'waiting', pid: null, error: 'fake crash kept' })
  for (const [restarts, wait] of [1_000, 2_000, 3_000, 3_000].entries()) {
    vi.advanceTimersByTime(wait - 1)
    expect(adapters.all).toMatchObject([{ state: 'waiting', restarts }])
    const crashed = once(events, 'ended')
    vi.advanceTimersByTime(1)
    expect(adapters.all).toMatchObject([{ state: 'starting', restarts: restarts + 1 }])
    await crashed
  }
  vi.advanceTimersByTime(3_000)
  clock.now += 3_600_001
  await once(events, 'ended')
  vi.advanceTimersByTime(1_000)
  expect(adapters.all).toMatchObject([{ state: 'starting', restarts: 0 }])
})

test('one that there is no program for is tried again', async () => {
  const { adapters, run, events } = start()
  const { execPath } = process
  onTestFinished(() => void (process.execPath = execPath))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  process.execPath = '/nowhere/node'
  const error = 'spawn /nowhere/node ENOENT'
  expect(await run('good')).toMatchObject({ state: 'waiting', pid: null, restarts: 0, error })
  vi.advanceTimersByTime(1_000)
  await once(events, 'ended')
  process.execPath = execPath
  vi.advanceTimersByTime(2_000)
  await once(events, 'said')
  expect(adapters.all).toMatchObject([{ pid: expect.any(Number), restarts: 2 }])
})

test('one that cannot even be tried to start is tried again, and costs nobody else anything', async () => {
  const { adapters, environments, ended } = start({ load: [entry('good', 'odd'), entry('good')] })
  environments.set('adapter-odd', { WORD: 'a\0b' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  adapters.start()
  vi.advanceTimersByTime(1_000)
  expect(adapters.all).toMatchObject([
    { name: 'odd', state: 'waiting', pid: null, restarts: 1, error: expect.stringContaining('null bytes') },
    { name: 'one', state: 'starting', pid: expect.any(Number) },
  ])
  expect(ended).toHaveLength(2)
})

test('a line without an end is cut, and the last one needs none', async () => {
  const { run, heard } = start()
  await run('endless')
  expect(heard.slice(1)).toEqual([`one: ${'é'.repeat(8_192)}`, 'one: end'])
})

test('what one says on its standard output keeps it from nothing, also when it was started again', async () => {
  const { run, events, heard } = start()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const first = once(events, 'ended')
  await run('babbler')
  await first
  vi.advanceTimersByTime(1_000)
  await once(events, 'ended')
  expect(heard.filter((line) => line === 'one: said it')).toHaveLength(2)
})

test('one that is stopped ends, and is forgotten with its environment', async () => {
  const { adapters, run, records, environments } = start()
  const [{ pid }, other] = [await run('good'), await run('good', 'two')]
  expect(await adapters.stop('one', person)).toEqual([other])
  expect([isAlive(pid), isAlive(other.pid)]).toEqual([false, true])
  expect([...environments.keys()]).toEqual(['adapter-two'])
  expect(records.at(-1)).toMatchObject({ type: 'adapter.removed', body: { name: 'one' } })
  await expect(adapters.stop('one', person)).rejects.toMatchObject({ code: 'not_found' })
})

test('one that waits to be started again is not, once it is stopped', async () => {
  const { adapters, run } = start()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await run('crash')
  expect([await adapters.stop('one', person), vi.getTimerCount()]).toEqual([[], 0])
})

test('one that does not listen is killed', async () => {
  const { adapters, run, said } = start()
  const { pid } = await run('deaf')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const stopped = adapters.stop('one', person)
  await said('no')
  expect(isAlive(pid)).toBe(true)
  vi.advanceTimersByTime(5_000)
  expect([await stopped, isAlive(pid)]).toEqual([[], false])
})

test('one of the same name replaces it', async () => {
  const { adapters, run, ended } = start()
  const first = await run('good')
  const second = await run('good')
  expect([isAlive(first.pid), isAlive(second.pid), ended]).toEqual([false, true, []])
  expect(adapters.all).toEqual([second])
})

test('of two that are run under one name at once, one stays', async () => {
  const { adapters, run } = start()
  const [first, second] = await Promise.allSettled([run('good'), run('good')])
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'refused' } })
  expect(second).toMatchObject({ status: 'fulfilled', value: { state: 'running' } })
  expect(adapters.all).toEqual([second.status === 'fulfilled' ? second.value : null])
})

test('what was wanted before is started, and nothing is left when it closes', async () => {
  const { adapters, said, heard, records } = start({ load: [entry('good'), entry('crash', 'two')] })
  adapters.start()
  await Promise.all([said('fake good none'), said('fake crash none')])
  const pids = adapters.all.map(({ pid }) => pid)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await adapters.close()
  expect([adapters.all, pids.filter(isAlive), vi.getTimerCount(), records]).toEqual([[], [], 0, []])
  expect(heard).toHaveLength(2)
})
