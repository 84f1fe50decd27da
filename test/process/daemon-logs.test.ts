import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type LogEntryName, logEntries } from '../../src/contract/logs.ts'
import { openDatabase } from '../../src/base/store/sqlite.ts'
import { filesWith } from '../support/live-tree.ts'
import { type Box, createBox, select } from './harness.ts'

/** An agent, and directives that ended in every way that needs no model. */
const busyBox = async (): Promise<Box> => {
  const box = createBox()
  const { cwd } = box
  await box.stoppedAgent()
  const client = box.client()
  const tell = async (text: string, more: object = {}) =>
    (await client.tell({ target: 'worker', cwd, text, from: 'tester', ...more })).id
  const expired = await tell('too late', { expiresInMs: 20 })
  for await (const _ of client.follow({ id: expired, until: 'closed' }));
  await client.ack({ id: await tell('done'), note: 'yes' })
  await client.cancel({ id: await tell('never mind') })
  const waiting = await tell('waiting', { priority: 'high' })
  for await (const { state } of client.follow({ id: waiting, until: 'closed' })) if (state === 'held') break
  return box
}

describe('the log file', () => {
  test('holds named entries with their fields, and nothing else', async () => {
    const box = await busyBox()
    await box.client().stop()
    const entries = box.log()
    for (const { level, time, msg, ...fields } of entries) {
      expect([typeof level, typeof time]).toEqual(['number', 'number'])
      expect(logEntries[msg as LogEntryName].strict().safeParse(fields)).toMatchObject({ success: true, data: fields })
    }
    const names = new Set(entries.map(({ msg }) => msg))
    expect(names).toEqual(new Set(['daemon', 'register', 'ready', 'receive', 'ack', 'fifo']))
    const shown = await box.rein(['daemon', 'logs'])
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/ receive agent=agt_/) })
  })

  test('goes where the setting says, and is read from there', async () => {
    const box = createBox({ REIN_LOG_FILE: 'elsewhere/daemon.log' })
    await box.client().hello()
    expect(existsSync(box.paths.log)).toBe(false)
    expect(readFileSync(join(box.paths.state, 'elsewhere/daemon.log'), 'utf8')).toContain('"msg":"daemon"')
    expect(await box.rein(['daemon', 'logs'])).toMatchObject({ code: 0, stdout: expect.stringContaining('ready') })
    // Also by whose own settings say nothing of it.
    const other = await box.rein(['daemon', 'logs'], { env: { REIN_LOG_FILE: '' } })
    expect(other).toMatchObject({ code: 0, stdout: expect.stringContaining('ready') })
  })

  test.each([
    [3, ['first', 'second', 'third']],
    [1, ['first']],
  ])('begins anew when it is too large; %i are kept', async (maxFiles, past) => {
    const box = createBox({ REIN_LOG_MAX_BYTES: String(64 * 1024), REIN_LOG_MAX_FILES: String(maxFiles) })
    const dir = join(box.paths.state, 'logs')
    for (const run of past) {
      await box.client().hello()
      await box.client().stop()
      appendFileSync(box.paths.log, `${JSON.stringify({ run, filler: 'x'.repeat(64 * 1024) })}\n`)
    }
    await box.client().hello()
    const files = readdirSync(dir).toSorted()
    expect(files).toEqual(['rein.log', 'rein.log.1', 'rein.log.2'].slice(0, maxFiles))
    const runs = files.slice(1).map((name) => /"run":"(\w+)"/.exec(readFileSync(join(dir, name), 'utf8'))?.[1])
    expect(runs).toEqual(['third', 'second'].slice(0, maxFiles - 1))
    expect(box.log().filter(({ msg }) => msg !== 'fifo')).toEqual([expect.objectContaining({ msg: 'daemon' })])
    expect(files.map((name) => statSync(join(dir, name)).mode & 0o777)).toEqual(files.map(() => 0o600))
  })
})

describe('a secret', () => {
  const fill = (length: number): string => 'Ab3dE7gh'.repeat(length).slice(0, length)
  const secrets = {
    text: `sk-ant-api03-${fill(80)}text`,
    from: `ghp_${fill(32)}from`,
    note: `sk-ant-api03-${fill(80)}note`,
    args: `sk-ant-api03-${fill(80)}args`,
    system: `ghp_${fill(32)}syst`,
    env: `sk-ant-api03-${fill(80)}envv`,
  }

  test('that somebody hands to Rein stands in none of its files, but for what it starts an agent with', async () => {
    const box = createBox()
    const up = await box.rein([
      'up',
      'worker',
      '--host',
      'stream',
      '--system',
      `the token is ${secrets.system}`,
      '--env',
      `API_KEY=${secrets.env}`,
      '--json',
      '--',
      `--api-key=${secrets.args}`,
    ])
    expect(up.code).toBe(0)
    const told = await box.rein([
      'tell',
      'worker',
      `use ${secrets.text} here`,
      '--from',
      secrets.from.slice(0, 60),
      '--json',
    ])
    const { id, delivery } = JSON.parse(told.stdout) as { id: string; delivery: string }
    expect(delivery).toContain('secret')
    expect(await box.rein(['ack', id, '--note', `did it with ${secrets.note}`])).toMatchObject({ code: 0 })
    expect(await box.rein(['tell', secrets.text, 'to nobody'])).toMatchObject({ code: 3 })
    // What it was started with, to start it again, and the text that its CLI reads: for this user alone.
    const environments = filesWith(join(box.paths.runtime, 'environments'), secrets.env)
    const kept = [...environments, ...filesWith(join(box.paths.state, 'agents'), secrets.system)]
    expect(kept.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
    const found = () =>
      Object.values(secrets)
        .flatMap((secret) => filesWith(box.paths.state, secret))
        .filter((file) => !kept.includes(file))
    // While it runs with its write-ahead log, and after it has put that away.
    expect(found()).toEqual([])
    await box.client().stop()
    expect(found()).toEqual([])
    expect(filesWith(box.paths.state, '[redacted:').length).toBeGreaterThan(0)
  })
})

describe('rein daemon rebuild', () => {
  const tables = ['record', 'topic', 'cursor', 'directive', 'agent']
  const dump = ({ paths }: Box) => tables.map((table) => [table, select(paths, `SELECT * FROM ${table} ORDER BY 1, 2`)])

  test('makes the same tables again, also from none', async () => {
    const box = await busyBox()
    // What it had still to write is written then.
    await box.client().stop()
    const before = dump(box)
    expect(await box.rein(['daemon', 'rebuild'])).toMatchObject({ code: 0 })
    expect(dump(box)).toEqual(before)
    await box.client().stop()
    const db = openDatabase(box.paths.database)
    db.exec("DELETE FROM directive; UPDATE agent SET agent = json_set(agent, '$.state', 'idle')")
    db.close()
    expect(dump(box)).not.toEqual(before)
    const { stdout } = await box.rein(['daemon', 'rebuild', '--json'])
    expect(JSON.parse(stdout)).toEqual({ records: select(box.paths, 'SELECT * FROM record').length, skipped: [] })
    const open = await box.client().inbox({ target: 'worker', cwd: box.cwd })
    expect(open.map(({ excerpt }) => excerpt)).toEqual(['waiting'])
  })
})
