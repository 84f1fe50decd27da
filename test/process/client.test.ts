import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import { type ReinPaths, reinPaths } from '../../src/base/util/paths.ts'
import { isSameProcess, processStartTime } from '../../src/base/util/process.ts'
import { version } from '../../src/base/util/version.ts'

const script = path.join(import.meta.dirname, 'fixtures/daemon.mjs')
let home = ''
let paths: ReinPaths

const client = (env: Record<string, string> = {}): Client =>
  createClient({ paths, env: { REIN_HOME: home, ...env }, start: true, script })

const behave = (text: string): void => writeFileSync(path.join(home, 'behaviour'), text)

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rein-start-'))
  paths = reinPaths({ env: { REIN_HOME: home }, homedir: home, platform: process.platform, uid: 0 })
  mkdirSync(paths.runtime)
})

afterEach(async () => {
  await client().stop()
  rmSync(home, { recursive: true })
})

describe('a daemon on demand', () => {
  test('is started once, without what belongs to an agent', async () => {
    behave(`serve ${version}`)
    const first = (await client({ REIN_SPOOL: 's', REIN_WAITERS: 'w', KEPT: 'x' }).status()) as {
      pid: number
      env?: string[]
    }
    const second = await client().status()
    expect(second.pid).toBe(first.pid)
    expect(first.env).toContain('KEPT')
    expect(first.env).not.toContain('REIN_SPOOL')
    expect(first.env).not.toContain('REIN_WAITERS')
  })

  test('takes over the socket that another one left behind', async () => {
    behave(`serve ${version}`)
    writeFileSync(paths.socket, '')
    await expect(client().hello()).resolves.toMatchObject({ version })
  })

  test.each([
    ['refuse', 'The daemon could not start: The disk is full.'],
    ['crash', 'The daemon could not start: it ended before it was ready (exit 3).'],
  ])('that does not come up says why: %s', async (behaviour, message) => {
    behave(`${behaviour} ${version}`)
    await expect(client().ps({})).rejects.toMatchObject({
      code: 'unavailable',
      message,
      hint: expect.stringContaining('rein daemon start --foreground'),
    })
  })

  test.each(['status', 'rebuild'] as const)('that is older is replaced before %s', async (call) => {
    behave('serve 0.0.1')
    const old = await client().hello()
    const startTime = processStartTime(old.pid) ?? ''
    behave(`serve ${version}`)
    await client()[call]()
    expect(isSameProcess(old.pid, startTime)).toBe(false)
    await expect(client().hello()).resolves.toMatchObject({ version })
  })

  test('has ended when stop returns', async () => {
    behave(`serve ${version}`)
    const { pid } = await client().hello()
    const startTime = processStartTime(pid) ?? ''
    await expect(client().stop()).resolves.toEqual({ stopped: true, pid, killed: false })
    expect(isSameProcess(pid, startTime)).toBe(false)
  })
})
