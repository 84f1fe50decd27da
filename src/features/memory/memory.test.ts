import { join } from 'node:path'
import { existsSync, readFileSync, truncateSync } from 'node:fs'
import { expect, test } from 'vitest'
import { person, tempDir } from '../../../test/support/builders.ts'
import { startLog } from '../../../test/support/in-process-log.ts'
import { type Command } from '../../contract/command.ts'
import { blank } from '../../contract/outcome.ts'
import { openDatabase } from '../../base/store/sqlite.ts'
import { Memory, type Told } from './memory.ts'
import { adviceRows, countsOf, searchCommands } from './store.ts'
import { newRecord } from '../../contract/record.ts'

const aCommand = (given: Partial<Command> = {}): Command => ({
  id: 'cmd_1',
  command: 'npm test',
  at: 1000,
  cwd: '/shop',
  exit: 0,
  durationMs: 10,
  outcome: 'ok',
  session: 'c1',
  author: 'claude',
  output: null,
  branch: null,
  isDirty: null,
  tools: [],
  edited: [],
  source: 'hook',
  secrets: 0,
  ...given,
})
const told = (given: Partial<Command> = {}): Told => ({ command: aCommand(given), project: 'shop', agent: null })
const wanted = { project: 'shop', text: '', exit: null, author: null, agents: [], since: null, until: null, limit: 50 }
const asked = { project: 'shop', session: 'c9', author: 'claude', cwd: '/shop', time: 0 }

const start = async () => {
  const dir = tempDir()
  const { log, path } = startLog()
  const reader = openDatabase(path, { readOnly: true })
  let count = 0
  const open = async (): Promise<Memory> => {
    const memory = new Memory({
      reader,
      append: (records) => log.append(records),
      redact: (text) => ({ text: text.replaceAll('hunter2', '[redacted]'), count: text.split('hunter2').length - 1 }),
      file: join(dir, 'memory.bin'),
      keep: 1000,
      now: () => 5000,
      newId: (prefix) => `${prefix}_${(count += 1)}`,
      checkpoint: () => log.checkpoint(),
      onTrouble: (cause) => {
        throw cause
      },
    })
    await memory.open()
    return memory
  }
  return { log, reader, open, path, file: join(dir, 'memory.bin') }
}
const linesNow = (memory: Memory): string[] => memory.model.next(asked, 10).map(({ text }) => text)
/** When all is learnt. */
const lines = async (memory: Memory): Promise<string[]> => {
  await memory.learnt()
  return linesNow(memory)
}

test('what is told twice is taken once, and what it has learnt is known at once', async () => {
  const { open, reader } = await start()
  const memory = await open()
  expect(await memory.take([told(), told()])).toMatchObject({ taken: 1, known: 1 })
  expect(await memory.take([told()])).toMatchObject({ taken: 0, known: 1 })
  expect(countsOf(reader, 'shop')).toEqual({ commands: 1, sessions: 1 })
  expect(await lines(memory)).toContain('npm test')
})

test('secrets are taken out before anything is stored or learnt, and counted', async () => {
  const { open, reader } = await start()
  const memory = await open()
  await memory.take([told({ command: 'login hunter2', output: 'hunter2 hunter2', outcome: 'failed', exit: 1 })])
  const [row] = searchCommands(reader, wanted)
  expect(row).toMatchObject({ command: 'login [redacted]', output: '[redacted] [redacted]', secrets: 3 })
  expect(JSON.stringify(await lines(memory))).not.toContain('hunter2')
})

test('the next daemon knows the same, from its file or from the table', async () => {
  const { open } = await start()
  const first = await open()
  for (let n = 0; n < 20; n += 1)
    await first.take([told({ id: `a${n}`, command: 'npm ci' }), told({ id: `b${n}`, command: 'npm test' })])
  const before = await lines(first)
  await first.save()
  await first.take([told({ id: 'late', command: 'make late' })])
  const second = await open()
  expect(await lines(second)).toEqual(await lines(first))
  expect(second.model.book('shop').known(9)).toEqual(first.model.book('shop').known(9))
  expect(before).toContain('npm test')
})

test('a damaged file is no loss', async () => {
  const { open, file } = await start()
  const first = await open()
  await first.take([told()])
  await first.learnt()
  await first.save()
  truncateSync(file, 50)
  expect(await lines(await open())).toContain('npm test')
})

test('what is forgotten is in no table, no record, no suggestion and no file, and does not come back', async () => {
  const { open, reader, log, path, file } = await start()
  const memory = await open()
  await memory.take([told({ id: 'keep', command: 'npm test' }), told({ id: 'go', command: 'deploy zebra' })])
  await log.append([
    newRecord(
      'advice.decided',
      {
        advice: {
          id: 'adv_1',
          session: 'c1',
          author: 'claude',
          moment: 'after',
          kind: 'next',
          isShown: true,
          why: 'sure',
          text: 'Run `deploy zebra`.',
          about: null,
          suggestions: [{ command: 'deploy zebra', score: 0.9 }],
        },
        next: null,
      },
      { id: 'rec_adv', at: 6000, actor: { kind: 'daemon' }, agent: null, project: 'shop' },
    ),
  ])
  await memory.learnt()
  await memory.save()
  expect(readFileSync(file).includes('zebra')).toBe(true)
  await memory.forget(['go'], person)
  expect(searchCommands(reader, wanted).map(({ command }) => command)).toEqual(['npm test'])
  expect(await lines(memory)).toEqual(['npm test'])
  const all = { project: null, session: null, isShown: false, after: 0, limit: 9 }
  expect(adviceRows(reader, all)).toMatchObject([{ kind: 'next', text: null, suggestions: [] }])
  for (const each of [path, `${path}-wal`]) expect(readFileSync(each).includes('zebra')).toBe(false)
  expect(existsSync(file)).toBe(false)
  expect(await memory.take([told({ id: 'go', command: 'deploy zebra' })])).toMatchObject({ taken: 0, known: 1 })
  await log.rebuild()
  expect(await lines(await open())).toEqual(['npm test'])
})

test('what could not be stored is not learnt, and can be told again', async () => {
  const { open, log } = await start()
  const memory = await open()
  const append = log.append.bind(log)
  log.append = () => Promise.reject(new Error('disk full'))
  const many = Array.from({ length: 120 }, (_, n) => told({ id: `n${n}`, command: 'make it' }))
  await expect(memory.take(many)).rejects.toThrow('disk full')
  expect(await lines(memory)).toEqual([])
  log.append = append
  expect(await memory.take(many)).toMatchObject({ taken: 120 })
  expect(await lines(memory)).toEqual(['make it'])
})

test('what is to be known by its id alone is not learnt, and never taken in', async () => {
  const { open, reader } = await start()
  const memory = await open()
  await memory.takeNow([told({ ...blank, id: 'quiet' })])
  expect(countsOf(reader, 'shop').commands).toBe(0)
  expect(await memory.take([told({ id: 'quiet', command: 'npm test' })])).toMatchObject({ taken: 0, known: 1 })
})

test('a secret that stands across the cut of an output is found', async () => {
  const { open, reader } = await start()
  const memory = await open()
  const output = `hunter2${'x'.repeat(1_997)}`
  await memory.take([told({ command: 'login', output, outcome: 'failed', exit: 1 })])
  expect(searchCommands(reader, wanted)[0]?.output).not.toContain('ter2')
})

test('forgetting while everything is learnt, kept and told: nothing counts twice, nothing comes back', async () => {
  const { open, file } = await start()
  const memory = await open()
  await memory.take(Array.from({ length: 300 }, (_, n) => told({ id: `n${n}`, command: n % 3 ? 'npm test' : 'zebra' })))
  await memory.learnt()
  const zebras = Array.from({ length: 100 }, (_, n) => `n${n * 3}`)
  await Promise.all([
    memory.save(),
    memory.open(),
    memory.forget(zebras.slice(0, 50), person),
    memory.forget(zebras.slice(50), person),
    memory.take([told({ id: 'more', command: 'npm ci' })]),
    memory.takeNow([told({ id: 'at once', command: 'npm ci' })]),
  ])
  await memory.learnt()
  await memory.save()
  expect(memory.model.book('shop').known(9)).toMatchObject([
    { command: 'npm test', runs: 200 },
    { command: 'npm ci', runs: 2 },
  ])
  expect(readFileSync(file).includes('zebra')).toBe(false)
})

test('forgetting and telling wait for nothing to be learnt, and what is forgotten is in no answer meanwhile', async () => {
  const { open, reader, file } = await start()
  const memory = await open()
  const many = Array.from({ length: 400 }, (_, n) => told({ id: `n${n}`, command: n % 2 ? 'npm test' : 'zebra' }))
  await memory.take(many)
  await memory.learnt()
  const zebras = many.filter(({ command }) => command.command === 'zebra')
  await memory.forget(
    zebras.map(({ command }) => command.id),
    person,
  )
  const runs = (): number => memory.model.book('shop').known(9)[0]?.runs ?? 0
  expect(runs()).toBeLessThan(200)
  expect(linesNow(memory)).not.toContain('zebra')
  await memory.take([told({ id: 'late', command: 'npm ci' })])
  expect(countsOf(reader, 'shop').commands).toBe(201)
  expect(runs()).toBeLessThan(200)
  // What is kept half-way is learnt to its end by the next daemon.
  await memory.save()
  await memory.learnt()
  expect(runs()).toBe(200)
  expect(existsSync(file) && readFileSync(file).includes('zebra')).toBe(false)
  const next = await open()
  expect(next.model.book('shop').known(9)).toEqual(memory.model.book('shop').known(9))
})

test('the oldest go when there are too many, all at once, and what is known by its id alone does not count', async () => {
  const { open, reader } = await start()
  const memory = await open()
  const ids = Array.from({ length: 3_010 }, (_, n) => n)
  await memory.take(ids.map((n) => told({ id: `n${n}`, ...(n % 301 === 300 ? blank : { command: `true ${n}` }) })))
  expect(countsOf(reader, 'shop').commands).toBe(3_000)
  await memory.trim()
  const left = searchCommands(reader, { ...wanted, limit: 2_000 }).map(({ id }) => id)
  expect(left).toHaveLength(1_000)
  expect(left.at(-1)).toBe('n2006')
})
